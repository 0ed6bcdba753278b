import { describe, expect, it } from 'vitest';
import { tinyBackbone } from '../../../../test/vision/tiny-backbone.ts';
import { smoothedScorer } from '../../anomaly-map/map-scorer.ts';
import { toEnglish } from '../../engine-messages.ts';
import { createRandom } from '../../math/random.ts';
import { prepareImage } from '../../preprocess/step.ts';
import { packFeatures, unpackFeatures } from '../../training/training-patches.ts';
import { VisionError } from '../../vision-error.ts';
import { fitPadim } from './fit.ts';
import { checkGridSize, learnGaussians, MOST_BYTES, openGaussianMeasure } from './gaussian-grid.ts';

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
    const scorer = smoothedScorer(await openGaussianMeasure(grid, false), 0);
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
    const scorer = smoothedScorer(await openGaussianMeasure(learnGaussians([kept], 20), false), 0);
    expect(Math.max(...(await scorer.score(only)).data)).toBe(0);
    const other = await scorer.score(drawGrid(createRandom(8)));
    expect(other.data.every((value) => Number.isFinite(value) && value > 0)).toBe(true);
    const narrow = { ...only, columns: 3, rows: 4 };
    await expect(scorer.score(narrow)).rejects.toThrow(VisionError);
    await scorer.dispose();
  });
});

describe('checkGridSize', () => {
  it.each([
    [256, 128],
    [512, 128],
    [1024, 48],
    [1024, 64],
  ])('lets an input of %i with %i channels pass', (imageSize, channels) => {
    const side = imageSize / 8;
    expect(() => checkGridSize({ rows: side, columns: side }, channels, imageSize)).not.toThrow();
  });

  it('names what would fit, and that does', () => {
    const grid = { rows: 96, columns: 168 };
    const refusal = () => checkGridSize(grid, 128, 1024);
    expect(refusal).toThrow(/^image_size 1024 with channels 128 would make a model of 533\sMB, more than the 140\sMB/);
    expect(refusal).toThrow(/Set channels to 65 or less, or image_size to 512 or less\.$/);
    expect(() => checkGridSize(grid, 65, 1024)).not.toThrow();
    expect(() => checkGridSize(grid, 66, 1024)).toThrow();
    expect((4 * 96 * 168 * 128 * 129) / 2 / 4).toBeLessThan(MOST_BYTES);
  });

  it('is looked at before anything is learned', async () => {
    // As large as the input: smaller images are not enlarged.
    const image = { width: 1024, height: 1024, data: new Uint8Array(1024 * 1024 * 3) };
    const sample = { itemId: 'a', name: 'a', good: true, regions: [], load: async () => prepareImage(image) };
    const texts: string[] = [];
    const training = fitPadim({
      samples: [sample],
      params: {
        image_size: 1024,
        channels: 144,
        prior_images: 20,
        false_alarm_rate: 0.01,
        smoothing: 1,
        drop_outliers: true,
      },
      backbone: tinyBackbone({ eighth: 112 }),
      threads: 1,
      random: createRandom(1),
      signal: new AbortController().signal,
      report: ({ doing }) => texts.push(toEnglish(doing)),
    });
    await expect(training).rejects.toThrow(/^image_size 1024 with channels 144 would make a model of 171\sMB/);
    expect(texts).toEqual(['looking at the images']);
  });
});
