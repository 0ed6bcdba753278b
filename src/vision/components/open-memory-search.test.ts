import { describe, expect, it } from 'vitest';
import { createRandom } from '../math/random.ts';
import type { Matrix } from '../onnx/open-matrix-product.ts';
import { chooseCandidates, openMemorySearch } from './open-memory-search.ts';
import { openNearestNeighbours } from './open-nearest-neighbours.ts';

const random = createRandom(9);
const DIMS = 16;

/** Members around a few places, so far apart from each other as `spread` says. */
function members(rows: number, spread: number): Matrix {
  const places = Float32Array.from({ length: 8 * DIMS }, () => random.normal());
  const data = Float32Array.from({ length: rows * DIMS }, (_, at) => {
    const place = Math.floor(at / DIMS) % 8;
    return places[place * DIMS + (at % DIMS)]! + spread * random.normal();
  });
  return { rows, columns: DIMS, data };
}

async function distances(open: typeof openMemorySearch, bank: Matrix, queries: Matrix, threads = 1) {
  const search = await open({ bank, candidates: 4 }, 1, threads);
  return search.distances(queries).finally(() => search.dispose());
}

const queriesOf = (bank: Matrix): Matrix => ({
  ...bank,
  rows: 100,
  data: bank.data.slice(0, 100 * DIMS).map((value) => value * 1.01),
});

describe('openMemorySearch', () => {
  it('looks among candidates: a member is at no distance from itself then, to the last bit', async () => {
    const bank = members(1000, 1);
    expect(await distances(openMemorySearch, bank, bank)).toEqual(new Float32Array(1000));
    const [fast, exact] = [
      await distances(openMemorySearch, bank, queriesOf(bank)),
      await distances(openNearestNeighbours, bank, queriesOf(bank)),
    ];
    fast.forEach((distance, query) => {
      expect(distance).toBeCloseTo(exact[query]!, 3);
    });
  });

  it('looks among all where there are no more members than candidates', async () => {
    const bank = members(4, 1);
    const expected = await distances(openNearestNeighbours, bank, bank);
    expect(await distances(openMemorySearch, bank, bank)).toEqual(expected);
  });

  it('answers the same, whether patches come together or one by one, on any number of threads', async () => {
    const bank = members(1000, 1);
    const queries = queriesOf(bank);
    const together = await distances(openMemorySearch, bank, queries);
    expect(await distances(openMemorySearch, bank, queries, 4)).toEqual(together);
    const search = await openMemorySearch({ bank, candidates: 4 });
    for (let row = 0; row < queries.rows; row++) {
      const alone = { rows: 1, columns: DIMS, data: queries.data.slice(DIMS * row, DIMS * (row + 1)) };
      expect((await search.distances(alone))[0]).toBe(together[row]);
    }
    await search.dispose();
  });
});

describe('chooseCandidates', () => {
  it('takes a few where these hold the nearest members', async () => {
    expect(await chooseCandidates({ bank: members(1000, 1) }, 1)).toBe(4);
    expect(await chooseCandidates({ bank: members(1000, 1) }, 3)).toBe(8);
  });

  it('takes none where members lie closer together than 8 bits can tell', async () => {
    expect(await chooseCandidates({ bank: members(1000, 0.003) }, 1)).toBeUndefined();
  });

  it('takes none of a small memory', async () => {
    expect(await chooseCandidates({ bank: members(511, 1) }, 1)).toBeUndefined();
  });
});
