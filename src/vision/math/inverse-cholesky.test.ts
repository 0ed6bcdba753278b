import { describe, expect, it } from 'vitest';
import { inverseCholesky } from './inverse-cholesky.ts';
import { createRandom } from './random.ts';

describe('inverseCholesky', () => {
  it('whitens: W A Wᵀ is the identity, W lower triangular', () => {
    const random = createRandom(3);
    const n = 7;
    const root = Float64Array.from({ length: n * n }, () => random.normal());
    const at = (m: Float64Array, i: number, j: number): number => m[i * n + j] ?? Number.NaN;
    const times = (a: (i: number, k: number) => number, b: (k: number, j: number) => number) =>
      Float64Array.from({ length: n * n }, (_, cell) => {
        let sum = 0;
        for (let k = 0; k < n; k++) sum += a(Math.floor(cell / n), k) * b(k, cell % n);
        return sum;
      });
    const matrix = times(
      (i, k) => at(root, i, k),
      (k, j) => at(root, j, k),
    );
    for (let i = 0; i < n; i++) matrix[i * n + i] = at(matrix, i, i) + 0.1;
    const white = inverseCholesky(matrix, n);
    const half = times(
      (i, k) => at(white, i, k),
      (k, j) => at(matrix, k, j),
    );
    const identity = times(
      (i, k) => at(half, i, k),
      (k, j) => at(white, j, k),
    );
    identity.forEach((value, cell) => {
      expect(value).toBeCloseTo(Math.floor(cell / n) === cell % n ? 1 : 0, 8);
      if (cell % n > Math.floor(cell / n)) expect(white[cell]).toBe(0);
    });
  });

  it('refuses a singular matrix', () => {
    expect(() => inverseCholesky(Float64Array.of(1, 1, 1, 1), 2)).toThrow(/not positive definite: pivot 1 is 0/);
  });
});
