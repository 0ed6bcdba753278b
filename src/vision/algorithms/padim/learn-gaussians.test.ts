import { describe, expect, it } from 'vitest';
import { createRandom } from '../../math/random.ts';
import { packFeatures, unpackFeatures } from '../../training/training-patches.ts';
import { VisionError } from '../../vision-error.ts';
import { openGaussianMeasure, openGaussianScorer } from './gaussian-scorer.ts';
import { learnGaussians } from './learn-gaussians.ts';

const [ROWS, COLUMNS, DIMS] = [3, 4, 3];

/** Cell c has its mean at 10 c in every dimension; the deviation of dimension d is (d + 1) · (c + 1). */
function drawGrid(random = createRandom(1)) {
  const data = Float32Array.from({ length: ROWS * COLUMNS * DIMS }, (_, i) => {
    const [cell, d] = [Math.floor(i / DIMS), i % DIMS];
    return 10 * cell + (d + 1) * (cell + 1) * random.normal();
  });
  return { rows: ROWS, columns: COLUMNS, patches: { rows: ROWS * COLUMNS, columns: DIMS, data } };
}

describe('learnGaussians', () => {
  it('with many images measures distances in deviations of the cell', async () => {
    const random = createRandom(2);
    const grid = learnGaussians(
      Array.from({ length: 3000 }, () => packFeatures(drawGrid(random))),
      1,
    );
    const scorer = await openGaussianScorer(grid, 0);
    const probe = drawGrid();
    const map = await scorer.score(probe);
    await scorer.dispose();
    map.data.forEach((found, cell) => {
      const deviations = Array.from({ length: DIMS }, (_, d) => {
        const rest = (probe.patches.data[cell * DIMS + d] ?? 0) - 10 * cell;
        return rest / ((d + 1) * (cell + 1));
      });
      const expected = Math.hypot(...deviations);
      expect(Math.abs(found - expected)).toBeLessThan(0.12 * Math.max(1, expected));
    });
  });

  it('compares patches by how they differ from their own cell, in deviations', async () => {
    const grid = learnGaussians(
      Array.from({ length: 40 }, (_, seed) => packFeatures(drawGrid(createRandom(seed + 10)))),
      5,
    );
    const measure = await openGaussianMeasure(grid, true);
    const probe = drawGrid();
    const { features, distances } = await measure.measure(probe, false);
    await measure.dispose();
    for (let cell = 0; cell < ROWS * COLUMNS; cell++) {
      let from = (cell * DIMS * (DIMS + 1)) / 2;
      const white = Array.from({ length: DIMS }, (_, row) => {
        let sum = 0;
        for (let d = 0; d <= row; d++) {
          const at = cell * DIMS + d;
          sum += (grid.whitening[from++] ?? 0) * ((probe.patches.data[at] ?? 0) - (grid.means[at] ?? 0));
        }
        return sum;
      });
      white.forEach((value, d) => {
        expect(features.data[cell * DIMS + d]).toBeCloseTo(value, 3);
      });
      expect(distances[cell]).toBeCloseTo(Math.hypot(...white), 3);
    }
  });

  it('learns from one image and calls it exactly average', async () => {
    const kept = packFeatures(drawGrid());
    const only = unpackFeatures(kept);
    const scorer = await openGaussianScorer(learnGaussians([kept], 20), 0);
    expect(Math.max(...(await scorer.score(only)).data)).toBe(0);
    const other = await scorer.score(drawGrid(createRandom(8)));
    expect(other.data.every((value) => Number.isFinite(value) && value > 0)).toBe(true);
    const narrow = { ...only, columns: 3, rows: 4 };
    await expect(scorer.score(narrow)).rejects.toThrow(VisionError);
    await scorer.dispose();
  });
});
