import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Matrix } from '../math/matrix.ts';
import { createRandom } from '../math/random.ts';
import { symmetricEigen } from '../math/symmetric-eigen.ts';
import { type MatrixProduct, openMatrixProduct } from '../onnx/open-matrix-product.ts';
import { principalAxes } from './principal-axes.ts';

/** Correlated data whose variance falls along hidden directions. */
function samples(rows: number, columns: number): Matrix {
  const random = createRandom(11);
  const mixing = Float64Array.from({ length: columns * columns }, () => random.normal());
  const data = new Float32Array(rows * columns);
  for (let row = 0; row < rows; row++) {
    const hidden = Array.from({ length: columns }, (_, k) => random.normal() * 0.7 ** k);
    for (let column = 0; column < columns; column++)
      data[row * columns + column] = hidden.reduce((sum, h, k) => sum + h * (mixing[k * columns + column] ?? 0), 5);
  }
  return { rows, columns, data };
}

function slowCovariance({ rows, columns, data }: Matrix): Float64Array {
  const mean = Array.from({ length: columns }, (_, c) => {
    let sum = 0;
    for (let r = 0; r < rows; r++) sum += data[r * columns + c] ?? 0;
    return sum / rows;
  });
  return Float64Array.from({ length: columns * columns }, (_, index) => {
    const [i, j] = [Math.floor(index / columns), index % columns];
    let sum = 0;
    for (let r = 0; r < rows; r++)
      sum += ((data[r * columns + i] ?? 0) - (mean[i] ?? 0)) * ((data[r * columns + j] ?? 0) - (mean[j] ?? 0));
    return sum / (rows - 1);
  });
}

describe('principalAxes', () => {
  let product: MatrixProduct;
  beforeAll(async () => {
    product = await openMatrixProduct();
  });
  afterAll(() => product.dispose());

  it('finds the axes and variances of the full decomposition', async () => {
    const data = samples(400, 40);
    const { axes, variances, totalVariance } = await principalAxes(data, 6, createRandom(1), product);
    const exact = symmetricEigen(slowCovariance(data), 40);
    expect(totalVariance / exact.values.reduce((sum, value) => sum + value, 0)).toBeCloseTo(1, 3);
    for (let axis = 0; axis < 6; axis++) {
      expect((variances[axis] ?? 0) / (exact.values[axis] ?? 1)).toBeCloseTo(1, 3);
      let cosine = 0;
      for (let d = 0; d < 40; d++) cosine += (axes.data[d * 6 + axis] ?? 0) * (exact.vectors[axis * 40 + d] ?? 0);
      expect(Math.abs(cosine)).toBeGreaterThan(0.999);
    }
  });

  it('takes fewer samples than axes', async () => {
    const { axes, variances } = await principalAxes(samples(3, 10), 8, createRandom(1), product);
    expect([axes.rows, axes.columns]).toEqual([10, 8]);
    expect(axes.data.every(Number.isFinite)).toBe(true);
    expect(variances.filter((value) => value > 1e-4).length).toBeLessThanOrEqual(2);
  });
});
