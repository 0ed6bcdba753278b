import { describe, expect, it } from 'vitest';
import { smoothedScorer } from '../../anomaly-map/map-scorer.ts';
import { createRandom } from '../../math/random.ts';
import { openMatrixProduct } from '../../onnx/open-matrix-product.ts';
import { principalAxes } from '../../training/principal-axes.ts';
import { openResidualMeasure } from './model.ts';

describe('openResidualMeasure', () => {
  it('gives the length of what is left after the projection, patch by patch', async () => {
    const random = createRandom(4);
    const [rows, columns, dims, count] = [3, 5, 12, 4];
    const matrix = (length: number) => Float32Array.from({ length }, () => random.normal());
    const product = await openMatrixProduct();
    const { mean, axes } = await principalAxes(
      { rows: 60, columns: dims, data: matrix(60 * dims) },
      count,
      random,
      product,
    );
    await product.dispose();
    const data = matrix(rows * columns * dims);
    const scorer = smoothedScorer(await openResidualMeasure({ mean, axes }, false), 0);
    const features = { rows, columns, patches: { rows: rows * columns, columns: dims, data } };
    const map = await scorer.score(features);
    await scorer.dispose();
    expect([map.rows, map.columns]).toEqual([rows, columns]);
    const measure = await openResidualMeasure({ mean, axes }, true);
    const { features: residuals, distances } = await measure.measure(features, false);
    await measure.dispose();
    expect([residuals.rows, residuals.columns]).toEqual([rows * columns, dims]);
    map.data.forEach((found, patch) => {
      const rest = Array.from({ length: dims }, (_, d) => (data[patch * dims + d] ?? 0) - (mean[d] ?? 0));
      for (let axis = 0; axis < count; axis++) {
        const along = rest.reduce((sum, value, d) => sum + value * (axes.data[d * count + axis] ?? 0), 0);
        rest.forEach((value, d) => {
          rest[d] = value - along * (axes.data[d * count + axis] ?? 0);
        });
      }
      expect(found).toBeCloseTo(Math.hypot(...rest), 4);
      expect(distances[patch]).toBeCloseTo(Math.hypot(...rest), 4);
      rest.forEach((value, d) => {
        expect(residuals.data[patch * dims + d]).toBeCloseTo(value, 4);
      });
    });
  });

  it('is zero for patches of the subspace itself', async () => {
    const mean = Float32Array.of(1, 2, 3);
    const axes = { rows: 3, columns: 1, data: Float32Array.of(0, 1, 0) };
    const scorer = smoothedScorer(await openResidualMeasure({ mean, axes }, false), 0);
    const patches = { rows: 2, columns: 3, data: Float32Array.of(1, 900, 3, 1, 2, 7) };
    expect([...(await scorer.score({ rows: 1, columns: 2, patches })).data]).toEqual([0, 4]);
    await scorer.dispose();
  });
});
