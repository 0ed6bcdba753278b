import { describe, expect, it } from 'vitest';
import { takeRows } from '../math/matrix.ts';
import { createRandom } from '../math/random.ts';
import { openLeaveOneOutBank } from './leave-one-out-bank.ts';
import { openMemorySearch } from './open-memory-search.ts';
import { openNearestNeighbours } from './open-nearest-neighbours.ts';

const random = createRandom(7);
const cloud = (rows: number) => ({
  rows,
  columns: 6,
  data: Float32Array.from({ length: rows * 6 }, () => random.normal()),
});

describe('openLeaveOneOutBank', () => {
  const bank = cloud(40);
  const owners = Array.from({ length: 40 }, (_, member) => `item ${member % 4}`);

  it.each([1, 3])('searches as a bank without that item does, %i neighbours', async (neighbours) => {
    const queries = cloud(25);
    const weights = Float32Array.from(owners, () => 0.5 + random.next());
    const leaveOneOut = await openLeaveOneOutBank({ bank, weights, owners }, neighbours);
    for (const item of ['item 0', 'item 3', 'item of none']) {
      const kept = Uint32Array.from(owners.keys()).filter((member) => owners[member] !== item);
      const slow = await openNearestNeighbours(
        { bank: takeRows(bank, kept), weights: Float32Array.from(kept, (member) => weights[member] ?? 0) },
        neighbours,
      );
      const expected = await slow.distances(queries);
      const found = await leaveOneOut.without(item)?.patches.distances(queries);
      found?.forEach((distance, row) => {
        expect(distance).toBeCloseTo(expected[row] ?? Number.NaN, 4);
      });
      expect(found?.length).toBe(25);
      await slow.dispose();
    }
    await leaveOneOut.dispose();
  });

  it('has nothing to say where all members are of that item', async () => {
    const leaveOneOut = await openLeaveOneOutBank({ bank, owners: owners.map(() => 'only') });
    expect(leaveOneOut.without('only')).toBeUndefined();
    await leaveOneOut.dispose();
  });

  describe('with a shortlist', () => {
    const choice = { shortlist: 16 };
    const bank = cloud(1200);
    const owners = Array.from({ length: 1200 }, (_, member) => `item ${member % 5}`);
    const weights = Float32Array.from(owners, () => 0.5 + random.next());
    const image = { rows: 20, columns: 10, patches: cloud(200) };

    it('finds what the same search in a bank without that item finds', async () => {
      const leaveOneOut = await openLeaveOneOutBank({ bank, weights, owners, ...choice });
      const kept = Uint32Array.from(owners.keys()).filter((member) => owners[member] !== 'item 2');
      const others = {
        bank: takeRows(bank, kept),
        weights: Float32Array.from(kept, (member) => weights[member] ?? 0),
      };
      const search = await openMemorySearch({ ...others, ...choice });
      const expected = await search.distances(image);
      const found = await leaveOneOut.without('item 2')?.map.distances(image);
      const ratios = Array.from(found ?? [], (distance, patch) => distance / (expected[patch] ?? 0));
      expect(ratios.filter((ratio) => ratio === 1).length).toBeGreaterThan(0.9 * image.patches.rows);
      // One by one, as neighbours of nobody: the nearest are on the shortlist nearly always.
      const exact = await openNearestNeighbours(others);
      const nearest = await exact.distances(image.patches);
      const alone = await leaveOneOut.without('item 2')?.patches.distances(image.patches);
      const fartherBy = Array.from(alone ?? [], (distance, patch) => distance / (nearest[patch] ?? 0));
      expect(fartherBy.filter((ratio) => Math.abs(ratio - 1) < 1e-4).length).toBeGreaterThan(195);
      expect(fartherBy.length).toBe(200);
      await exact.dispose();
      await search.dispose();
      await leaveOneOut.dispose();
    });

    it('never finds a member of that item, whose own patches are then as far as others are', async () => {
      const leaveOneOut = await openLeaveOneOutBank({ bank, weights, owners, ...choice });
      const own = Uint32Array.from(owners.keys()).filter((member) => owners[member] === 'item 1');
      const itself = { rows: own.length, columns: 1, patches: takeRows(bank, own) };
      const among = async (item: string): Promise<number> =>
        Math.min(...((await leaveOneOut.without(item)?.map.distances(itself)) ?? []));
      expect(await among('item 0')).toBe(0);
      expect(await among('item 1')).toBeGreaterThan(0.05);
      await leaveOneOut.dispose();
    });

    it('looks at all that remain where they are fewer than the shortlist is long', async () => {
      const few = owners.map((_, member) => (member < 3 ? 'rare' : 'common'));
      const leaveOneOut = await openLeaveOneOutBank({ bank, owners: few, ...choice });
      const rest = await openNearestNeighbours({ bank: takeRows(bank, Uint32Array.of(0, 1, 2)) });
      const found = await leaveOneOut.without('common')?.map.distances(image);
      const expected = await rest.distances(image.patches);
      found?.forEach((distance, patch) => {
        expect(distance).toBeCloseTo(expected[patch] ?? Number.NaN, 4);
      });
      expect(found?.length).toBe(200);
      await rest.dispose();
      await leaveOneOut.dispose();
    });
  });
});
