import { describe, expect, it } from 'vitest';
import type { Matrix } from '../math/matrix.ts';
import { createRandom } from '../math/random.ts';
import { memberWeights } from './member-weights.ts';

const DIMS = 5;
const random = createRandom(4);
const cloud = (rows: number, spread: number, centre = 0): number[] =>
  Array.from({ length: rows * DIMS }, () => centre + spread * random.normal());
const matrix = (...parts: number[][]): Matrix => {
  const data = Float32Array.from(parts.flat());
  return { rows: data.length / DIMS, columns: DIMS, data };
};

function slowSpacing({ rows, data }: Matrix, owners: readonly string[], member: number): number {
  const distances = Array.from({ length: rows }, (_, other) => other)
    .filter((other) => owners[other] !== owners[member])
    .map((other) =>
      Math.hypot(
        ...Array.from({ length: DIMS }, (_, d) => (data[member * DIMS + d] ?? 0) - (data[other * DIMS + d] ?? 0)),
      ),
    )
    .sort((one, other) => one - other);
  return distances[Math.min(2, distances.length - 1)] ?? Number.NaN;
}

describe('memberWeights', () => {
  it('follow the distance from the third member of other items, more so the more items there are', async () => {
    for (const items of [6, 200]) {
      const bank = matrix(cloud(190, 1), cloud(20, 4));
      const owners = Array.from({ length: 210 }, (_, member) => `item ${member % items}`);
      const weights = await memberWeights({ bank, owners });
      const spacings = owners.map((_, member) => slowSpacing(bank, owners, member));
      const mean = spacings.reduce((sum, spacing) => sum + spacing, 0) / spacings.length;
      weights.forEach((weight, member) => {
        const expected = (mean / (spacings[member] ?? Number.NaN)) ** (items / (items + 300));
        expect(weight).toBeCloseTo(Math.min(4, Math.max(0.25, expected)), 4);
      });
    }
  });

  it('take the farthest where other items have fewer than three members', async () => {
    const bank = matrix(cloud(4, 1), cloud(2, 1, 3));
    const owners = ['a', 'a', 'a', 'a', 'b', 'b'];
    const weights = await memberWeights({ bank, owners });
    const spacings = owners.map((_, member) => slowSpacing(bank, owners, member));
    const mean = spacings.reduce((sum, spacing) => sum + spacing, 0) / spacings.length;
    weights.forEach((weight, member) => {
      expect(weight).toBeCloseTo((mean / (spacings[member] ?? Number.NaN)) ** (2 / 302), 5);
    });
  });

  it('are 1 for a lone item, and finite where other items have the same patches', async () => {
    const lone = matrix(cloud(9, 1));
    const same = lone.data.subarray(0, DIMS);
    const twins = matrix([...same], [...same], [...same], [...same]);
    const allOne = (count: number): Float32Array => new Float32Array(count).fill(1);
    expect(await memberWeights({ bank: lone, owners: new Array<string>(9).fill('a') })).toEqual(allOne(9));
    expect(await memberWeights({ bank: twins, owners: ['a', 'b', 'c', 'd'] })).toEqual(allOne(4));
    for (const rows of [1, 2]) {
      const few = { rows, columns: DIMS, data: lone.data.subarray(0, rows * DIMS) };
      expect(await memberWeights({ bank: few, owners: new Array<string>(rows).fill('a') })).toEqual(allOne(rows));
      expect(await memberWeights({ bank: few, owners: ['a', 'b'].slice(0, rows) })).toEqual(allOne(rows));
    }
    const both = matrix([...twins.data], cloud(20, 1, 5));
    const owners = Array.from({ length: 24 }, (_, member) => `item ${member}`);
    for (const weight of await memberWeights({ bank: both, owners })) {
      expect(weight).toBeGreaterThanOrEqual(0.25);
      expect(weight).toBeLessThanOrEqual(4);
    }
  });
});
