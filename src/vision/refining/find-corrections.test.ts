import { describe, expect, it } from 'vitest';
import type { Matrix } from '../math/matrix.ts';
import { createRandom } from '../math/random.ts';
import { coverCells, highestCells } from './find-corrections.ts';
import { resemblance } from './weigh-corrections.ts';

const DIMS = 5;
const random = createRandom(8);
const normal = (rows: number): Matrix => ({
  rows,
  columns: DIMS,
  data: Float32Array.from({ length: rows * DIMS }, () => random.normal()),
});
const apart = (one: Matrix, a: number, other: Matrix, b: number): number =>
  Math.hypot(
    ...Array.from({ length: DIMS }, (_, d) => (one.data[a * DIMS + d] ?? 0) - (other.data[b * DIMS + d] ?? 0)),
  );
const allCells = (count: number): number[] => Array.from({ length: count }, (_, cell) => cell);

describe('coverCells', () => {
  const features = normal(80);
  const distances = Float32Array.from({ length: 80 }, () => 4 * random.next());

  it('leaves no cell farther than the radius, and takes none that is covered already', () => {
    const chosen = coverCells(features, distances, allCells(80), 2);
    expect(chosen.length).toBeGreaterThan(3);
    for (const cell of chosen) expect(distances[cell]).toBeGreaterThan(2);
    for (const cell of allCells(80)) {
      const near = Math.min(distances[cell] ?? 0, ...[...chosen].map((one) => apart(features, cell, features, one)));
      expect(near).toBeLessThanOrEqual(2);
    }
    // Greedy: no two of the chosen lie within the radius of each other.
    for (const [i, one] of chosen.entries())
      for (const other of chosen.subarray(i + 1)) expect(apart(features, one, features, other)).toBeGreaterThan(2);
  });

  it('looks at the given cells only', () => {
    const cells = allCells(80).filter((cell) => cell % 2 === 0);
    for (const cell of coverCells(features, distances, cells, 1)) expect(cell % 2).toBe(0);
    expect(coverCells(features, distances, [], 1)).toHaveLength(0);
  });
});

describe('highestCells', () => {
  it('gives the highest first, equal ones in their order, no more than there are', () => {
    const values = Float32Array.of(3, 9, 9, 1, 5);
    expect([...highestCells(values, [0, 1, 2, 3, 4], 3)]).toEqual([1, 2, 4]);
    expect([...highestCells(values, [3, 0], 5)]).toEqual([0, 3]);
  });
});

describe('resemblance', () => {
  it('is the highest ratio over the cells that count', () => {
    const [missed, features] = [normal(3), normal(40)];
    const distances = Float32Array.from({ length: 40 }, () => 1 + random.next());
    const cells = allCells(40).slice(10);
    const ratios = resemblance(missed, features, distances, cells);
    for (let row = 0; row < 3; row++) {
      const expected = Math.max(...cells.map((cell) => (distances[cell] ?? 0) / apart(missed, row, features, cell)));
      expect(ratios[row]).toBeCloseTo(expected, 5);
    }
  });
});
