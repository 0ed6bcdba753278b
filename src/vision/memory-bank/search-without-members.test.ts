import { describe, expect, it } from 'vitest';
import { takeRows } from '../math/matrix.ts';
import { createRandom } from '../math/random.ts';
import { openMemorySearch } from './open-memory-search.ts';

const random = createRandom(7);
const cloud = (rows: number) => ({
  rows,
  columns: 6,
  data: Float32Array.from({ length: rows * 6 }, () => random.normal()),
});

/** A bank whose member `m` belongs to item `m % items`, and the members of one item and of the others. */
function ownedBank(members: number, items: number, item: number) {
  const numbers = Array.from({ length: members }, (_, member) => member);
  const bank = cloud(members);
  const weights = Float32Array.from(numbers, () => 0.5 + random.next());
  const kept = Uint32Array.from(numbers.filter((member) => member % items !== item));
  const own = numbers.filter((member) => member % items === item);
  const others = { bank: takeRows(bank, kept), weights: Float32Array.from(kept, (member) => weights[member]!) };
  return { memory: { bank, weights }, own, others };
}

describe('openMemorySearch without some members', () => {
  it.each([1, 3])('searches as a bank without them does, %i neighbours', async (neighbours) => {
    const queries = cloud(25);
    const { memory, own, others } = ownedBank(40, 4, 3);
    const all = await openMemorySearch(memory, neighbours);
    const slow = await openMemorySearch(others, neighbours);
    const expected = await slow.patchDistances(queries);
    const found = await all.patchDistances(queries, own);
    expect(found.length).toBe(25);
    found.forEach((distance, row) => {
      expect(distance).toBeCloseTo(expected[row]!, 4);
    });
    expect(await all.patchDistances(queries)).not.toEqual(found);
    await all.dispose();
    await slow.dispose();
  });

  describe('with a shortlist', () => {
    const shortlist = { members: 16, blockSide: 2 } as const;
    const { memory, own, others } = ownedBank(1200, 5, 2);
    const image = { rows: 20, columns: 10, patches: cloud(200) };

    it('finds what the same search in a bank without them finds', async () => {
      const all = await openMemorySearch({ ...memory, shortlist });
      const search = await openMemorySearch({ ...others, shortlist });
      const expected = await search.distances(image);
      const ratios = (await all.distances(image, own)).map((distance, patch) => distance / expected[patch]!);
      expect(ratios.filter((ratio) => ratio === 1).length).toBeGreaterThan(0.9 * image.patches.rows);
      // As patches that are no neighbours: the nearest are on the shortlist nearly always.
      const exact = await openMemorySearch(others);
      const nearest = await exact.patchDistances(image.patches);
      const single = await all.patchDistances(image.patches, own);
      const fartherBy = single.map((distance, patch) => distance / nearest[patch]!);
      expect(fartherBy.filter((ratio) => Math.abs(ratio - 1) < 1e-4).length).toBeGreaterThan(195);
      expect(fartherBy.length).toBe(200);
      for (const each of [all, search, exact]) await each.dispose();
    });

    it('never finds one of them, not even for its own patch', async () => {
      const search = await openMemorySearch({ ...memory, shortlist });
      const itself = { rows: own.length, columns: 1, patches: takeRows(memory.bank, Uint32Array.from(own)) };
      expect(Math.min(...(await search.distances(itself)))).toBe(0);
      expect(Math.min(...(await search.distances(itself, own)))).toBeGreaterThan(0.05);
      await search.dispose();
    });

    it('compares with all that remain where they are fewer than the shortlist is long', async () => {
      const rest = await openMemorySearch({ bank: takeRows(memory.bank, Uint32Array.of(0, 1, 2)) });
      const unweighted = await openMemorySearch({ bank: memory.bank, shortlist });
      const most = Array.from({ length: 1197 }, (_, index) => index + 3);
      const expected = await rest.distances(image);
      (await unweighted.distances(image, most)).forEach((distance, patch) => {
        expect(distance).toBeCloseTo(expected[patch]!, 4);
      });
      await rest.dispose();
      await unweighted.dispose();
    });
  });

  it('gives the last patch of a map the same distance whatever the number of patches before it', async () => {
    const bank = cloud(1000);
    const search = await openMemorySearch({ bank });
    // 524 rows are searched at a time: one more would be searched alone.
    const queries = cloud(525);
    const last = takeRows(queries, Uint32Array.of(523, 524));
    expect((await search.patchDistances(queries))[524]).toBe((await search.patchDistances(last))[1]);
    await search.dispose();
  });
});
