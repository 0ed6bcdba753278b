import { describe, expect, it } from 'vitest';
import type { PatchFeatures } from '../backbone/patch-extractor.ts';
import type { Matrix } from '../math/matrix.ts';
import { createRandom } from '../math/random.ts';
import { chooseSearch, openMemorySearch, type PatchMemory } from './open-memory-search.ts';

const random = createRandom(9);
const DIMS = 16;
const SHORT = { members: 16, blockSide: 2 } as const;

/** Members around a few places, so far apart from each other as `spread` says. */
function members(rows: number, spread: number): Matrix {
  const places = Float32Array.from({ length: 8 * DIMS }, () => random.normal());
  const data = Float32Array.from({ length: rows * DIMS }, (_, at) => {
    const place = Math.floor(at / DIMS) % 8;
    return places[place * DIMS + (at % DIMS)]! + spread * random.normal();
  });
  return { rows, columns: DIMS, data };
}

/** The same in more dims than choose the shortlist, each axis a little shorter than the one before. */
function longMembers(rows: number): Matrix {
  const columns = 96;
  const data = Float32Array.from({ length: rows * columns }, (_, at) => random.normal() * 0.95 ** (at % columns));
  return { rows, columns, data };
}

const column = (patches: Matrix): PatchFeatures => ({ rows: patches.rows, columns: 1, patches });

/** Patches near members, each block of four around the same one; `noise` is how far they lie from it. */
function grid(bank: Matrix, rows: number, columns: number, noise: number): PatchFeatures {
  const dims = bank.columns;
  const data = new Float32Array(rows * columns * dims);
  for (let cell = 0; cell < rows * columns; cell++) {
    const block = Math.floor(cell / columns / 2) * Math.ceil(columns / 2) + Math.floor((cell % columns) / 2);
    for (let d = 0; d < dims; d++)
      data[cell * dims + d] = bank.data[(block % bank.rows) * dims + d]! + noise * random.normal();
  }
  return { rows, columns, patches: { rows: rows * columns, columns: dims, data } };
}

async function distances(
  memory: PatchMemory,
  features: PatchFeatures,
  threads = 1,
  neighbours = 1,
): Promise<Float32Array> {
  const search = await openMemorySearch(memory, neighbours, threads);
  return search.distances(features).finally(() => search.dispose());
}

async function exactDistances(memory: PatchMemory, { patches }: PatchFeatures, neighbours = 1): Promise<Float32Array> {
  const search = await openMemorySearch(memory, neighbours);
  return search.patchDistances(patches).finally(() => search.dispose());
}

describe('openMemorySearch', () => {
  it('looks among a shortlist: a member is at no distance from itself, to the last bit', async () => {
    const bank = members(1000, 1);
    const features = grid(bank, 40, 40, 0);
    expect(await distances({ bank, shortlist: SHORT }, features)).toEqual(new Float32Array(1600));
  });

  it('looks among all where there are no more members than the shortlist is long', async () => {
    const bank = members(16, 1);
    expect(await distances({ bank, shortlist: SHORT }, column(bank))).toEqual(
      await exactDistances({ bank }, column(bank)),
    );
  });

  const weighted = Float32Array.from({ length: 3000 }, () => 0.25 + random.next());

  it.each([
    { bank: members(3000, 1), weights: undefined, rows: 32, columns: 32, neighbours: 1 },
    { bank: members(3000, 1), weights: undefined, rows: 32, columns: 32, neighbours: 3 },
    { bank: members(3000, 1), weights: weighted, rows: 32, columns: 32, neighbours: 1 },
    { bank: members(3000, 1), weights: weighted, rows: 33, columns: 27, neighbours: 3 },
    { bank: members(3000, 1), weights: weighted, rows: 90, columns: 80, neighbours: 1 },
    { bank: longMembers(3000), weights: weighted, rows: 32, columns: 32, neighbours: 1 },
    {
      bank: longMembers(3000),
      weights: weighted,
      rows: 33,
      columns: 27,
      neighbours: 1,
      each: 2,
      blockSide: 1,
    },
    {
      bank: members(3000, 1),
      weights: undefined,
      rows: 32,
      columns: 32,
      neighbours: 3,
      each: 2,
      blockSide: 1,
    },
  ])('finds the nearest of all members: $neighbours neighbours, a map of $rows × $columns', async (search) => {
    const { bank, weights, neighbours, each = 8 } = search;
    const blockSide: 1 | 2 = search.blockSide === 1 ? 1 : 2;
    const features = grid(bank, search.rows, search.columns, 0.3);
    const memory = { bank, weights, shortlist: { members: each * (neighbours + 1), blockSide } };
    const exact = await exactDistances({ bank, weights }, features, neighbours);
    const found = await distances(memory, features, 1, neighbours);
    const ratios = Array.from(found, (distance, patch) => distance / exact[patch]!);
    expect(Math.min(...ratios)).toBeGreaterThan(0.9999);
    expect(ratios.filter((ratio) => ratio < 1.0001).length).toBeGreaterThan(0.97 * ratios.length);
    expect(await distances(memory, features, 4, neighbours)).toEqual(found);
  });

  it('finds what lies far from everything as far', async () => {
    const bank = members(3000, 1);
    const features = grid(bank, 8, 8, 0.3);
    features.patches.data.subarray(0, DIMS).fill(40);
    const [exact] = await exactDistances({ bank }, features);
    const [found] = await distances({ bank, shortlist: SHORT }, features);
    expect(found! / exact!).toBeGreaterThan(0.9999);
    expect(found! / exact!).toBeLessThan(1.05);
  });
});

describe('chooseSearch', () => {
  it('takes a short list where neighbouring patches are alike', async () => {
    const bank = members(1000, 1);
    const images = [grid(bank, 32, 32, 0.1)];
    expect(await chooseSearch({ bank }, 1, images)).toEqual({ shortlist: SHORT });
    expect(await chooseSearch({ bank }, 3, images)).toEqual({ shortlist: { members: 32, blockSide: 2 } });
  });

  it('takes a list for each patch where neighbouring patches differ', async () => {
    const bank = members(1000, 1);
    const alike = grid(bank, 1024, 1, 0.1);
    const data = Float32Array.from(alike.patches.data, (_, at) => {
      const place = (Math.floor(at / DIMS) * 389) % 1024;
      return alike.patches.data[place * DIMS + (at % DIMS)]!;
    });
    const images = [{ rows: 32, columns: 32, patches: { ...alike.patches, data } }];
    expect(await chooseSearch({ bank }, 1, images)).toEqual({ shortlist: { members: 4, blockSide: 1 } });
  });

  it('takes a longer list for blocks of a large bank before it takes one for each patch', async () => {
    const bank = members(6200, 1);
    const chosen: (number | undefined)[] = [];
    for (const noise of [0.3, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 1.6])
      chosen.push((await chooseSearch({ bank }, 1, [grid(bank, 32, 32, noise)])).shortlist?.members);
    expect(new Set(chosen)).toEqual(new Set([16, 48, 4]));
    expect(chosen).toEqual(chosen.toSorted((a = 0, b = 0) => [16, 48, 4].indexOf(a) - [16, 48, 4].indexOf(b)));
  });

  it('searches all where members lie closer together than 8 bits can tell', async () => {
    const bank = members(1000, 0.003);
    expect(await chooseSearch({ bank }, 1, [grid(bank, 32, 32, 0.001)])).toEqual({});
  });

  it('searches all of a small bank', async () => {
    const bank = members(511, 1);
    expect(await chooseSearch({ bank }, 1, [grid(bank, 32, 32, 0.1)])).toEqual({});
  });
});
