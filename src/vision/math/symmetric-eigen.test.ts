import { describe, expect, it } from 'vitest';
import { createRandom } from './random.ts';
import { symmetricEigen } from './symmetric-eigen.ts';

describe('symmetricEigen', () => {
  it('solves a case done by hand', () => {
    const { values, vectors } = symmetricEigen(Float64Array.of(2, 1, 1, 2), 2);
    expect(values[0]).toBeCloseTo(3, 12);
    expect(values[1]).toBeCloseTo(1, 12);
    expect(Math.abs((vectors[0] ?? 0) - (vectors[1] ?? 0))).toBeLessThan(1e-12);
  });

  it('puts a random matrix together again, vectors orthonormal, values descending', () => {
    const n = 24;
    const random = createRandom(3);
    const half = Float64Array.from({ length: n * n }, () => random.normal());
    const at = (m: Float64Array, i: number, j: number): number => m[i * n + j] ?? Number.NaN;
    const matrix = half.map(
      (_, index) => at(half, Math.floor(index / n), index % n) + at(half, index % n, Math.floor(index / n)),
    );
    const { values, vectors } = symmetricEigen(matrix, n);
    for (let i = 0; i < n; i++)
      for (let j = 0; j < n; j++) {
        let [rebuilt, product] = [0, 0];
        for (let k = 0; k < n; k++) {
          rebuilt += (values[k] ?? 0) * at(vectors, k, i) * at(vectors, k, j);
          product += at(vectors, i, k) * at(vectors, j, k);
        }
        expect(rebuilt).toBeCloseTo(at(matrix, i, j), 8);
        expect(product).toBeCloseTo(i === j ? 1 : 0, 10);
      }
    expect([...values]).toEqual([...values].sort((a, b) => b - a));
  });

  it('takes a matrix of low rank and one of zeros', () => {
    const rankOne = Float64Array.from(
      { length: 9 },
      (_, index) => [1, 2, 3][index % 3]! * [1, 2, 3][Math.floor(index / 3)]!,
    );
    expect([...symmetricEigen(rankOne, 3).values].map((value) => Math.abs(Math.round(value * 1e9) / 1e9))).toEqual([
      14, 0, 0,
    ]);
    expect([...symmetricEigen(new Float64Array(9), 3).values]).toEqual([0, 0, 0]);
  });
});
