import { describe, expect, it } from 'vitest';
import type { Matrix } from '../math/matrix.ts';
import { createRandom } from '../math/random.ts';
import { openMemorySearch } from './open-memory-search.ts';

const random = createRandom(9);
const normal = (rows: number, columns: number): Matrix => ({
  rows,
  columns,
  data: Float32Array.from({ length: rows * columns }, () => random.normal()),
});

function slowDistances(queries: Matrix, bank: Matrix, neighbours: number, weights?: Float32Array): number[] {
  return Array.from({ length: queries.rows }, (_, q) => {
    const all = Array.from({ length: bank.rows }, (_, b) => {
      let sum = 0;
      for (let d = 0; d < bank.columns; d++)
        sum += ((queries.data[q * bank.columns + d] ?? 0) - (bank.data[b * bank.columns + d] ?? 0)) ** 2;
      return Math.sqrt(sum) * (weights?.[b] ?? 1);
    }).sort((a, b) => a - b);
    return all.slice(0, neighbours).reduce((sum, value) => sum + value, 0) / Math.min(neighbours, all.length);
  });
}

describe('the exact search', () => {
  it.each([1, 3])('equals the exhaustive search over %i neighbours', async (neighbours) => {
    const [bank, queries] = [normal(57, 12), normal(20, 12)];
    const search = await openMemorySearch({ bank }, neighbours);
    const fast = await search.patchDistances(queries);
    slowDistances(queries, bank, neighbours).forEach((expected, index) => {
      expect(fast[index]).toBeCloseTo(expected, 4);
    });
    await search.dispose();
  });

  it.each([1, 3])('weighs each member’s distance, %i neighbours', async (neighbours) => {
    const [bank, queries] = [normal(57, 12), normal(20, 12)];
    const weights = Float32Array.from({ length: 57 }, () => 0.25 + 3 * random.next());
    const search = await openMemorySearch({ bank, weights }, neighbours);
    const fast = await search.patchDistances(queries);
    slowDistances(queries, bank, neighbours, weights).forEach((expected, index) => {
      expect(fast[index]).toBeCloseTo(expected, 4);
    });
    await search.dispose();
  });

  it('finds a member of the bank at no distance, and does with fewer members than neighbours', async () => {
    const bank = normal(2, 8);
    const nearest = await openMemorySearch({ bank });
    for (const distance of await nearest.patchDistances(bank)) expect(distance).toBeLessThan(2e-3);
    await nearest.dispose();
    const search = await openMemorySearch({ bank }, 5);
    const queries = normal(3, 8);
    const fast = await search.patchDistances(queries);
    slowDistances(queries, bank, 5).forEach((expected, index) => {
      expect(fast[index]).toBeCloseTo(expected, 4);
    });
    await search.dispose();
  });
});
