import { describe, expect, it } from 'vitest';
import { createRandom } from '../math/random.ts';
import { openLeftOutBank } from './open-left-out-bank.ts';
import { openNearestNeighbours } from './open-nearest-neighbours.ts';
import { takeRows } from './select-coreset.ts';

const random = createRandom(7);
const cloud = (rows: number) => ({
  rows,
  columns: 6,
  data: Float32Array.from({ length: rows * 6 }, () => random.normal()),
});

describe('openLeftOutBank', () => {
  const bank = cloud(40);
  const owners = Array.from({ length: 40 }, (_, member) => `item ${member % 4}`);

  it.each([1, 3])('searches as a bank without that item does, %i neighbours', async (neighbours) => {
    const queries = cloud(25);
    const weights = Float32Array.from(owners, () => 0.5 + random.next());
    const leftOut = await openLeftOutBank({ bank, weights, owners }, neighbours);
    for (const item of ['item 0', 'item 3', 'item of none']) {
      const kept = Uint32Array.from(owners.keys()).filter((member) => owners[member] !== item);
      const slow = await openNearestNeighbours(
        { bank: takeRows(bank, kept), weights: Float32Array.from(kept, (member) => weights[member] ?? 0) },
        neighbours,
      );
      const expected = await slow.distances(queries);
      const found = await leftOut.without(item)?.distances(queries);
      found?.forEach((distance, row) => {
        expect(distance).toBeCloseTo(expected[row] ?? Number.NaN, 4);
      });
      expect(found?.length).toBe(25);
      await slow.dispose();
    }
    await leftOut.dispose();
  });

  it('has nothing to say where all members are of that item', async () => {
    const leftOut = await openLeftOutBank({ bank, owners: owners.map(() => 'only') });
    expect(leftOut.without('only')).toBeUndefined();
    await leftOut.dispose();
  });
});
