import { describe, expect, it } from 'vitest';
import type { PatchFeatures } from '../backbone/patch-extractor.ts';
import type { Matrix } from '../math/matrix.ts';
import { createRandom } from '../math/random.ts';
import type { PatchMemory } from './nearest-neighbours-part.ts';
import { chooseSearch, openMemorySearch } from './open-memory-search.ts';
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

/** The same in more dims than the first choice looks at, each axis a little shorter than the one before. */
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

async function distances(memory: PatchMemory, features: PatchFeatures, threads = 1): Promise<Float32Array> {
  const search = await openMemorySearch(memory, 1, threads);
  return search.distances(features).finally(() => search.dispose());
}

async function exactDistances(memory: PatchMemory, { patches }: PatchFeatures): Promise<Float32Array> {
  const search = await openNearestNeighbours(memory);
  return search.distances(patches).finally(() => search.dispose());
}

describe('openMemorySearch', () => {
  it('looks among candidates: a member is at no distance from itself then, to the last bit', async () => {
    const bank = members(1000, 1);
    expect(await distances({ bank, candidates: 4 }, column(bank))).toEqual(new Float32Array(1000));
    const features = grid(bank, 10, 10, 0.01);
    const exact = await exactDistances({ bank }, features);
    (await distances({ bank, candidates: 4 }, features)).forEach((distance, patch) => {
      expect(distance).toBeCloseTo(exact[patch]!, 3);
    });
  });

  it('looks among all where there are no more members than candidates', async () => {
    const bank = members(4, 1);
    expect(await distances({ bank, candidates: 4 }, column(bank))).toEqual(
      await exactDistances({ bank }, column(bank)),
    );
  });

  it('answers the same, whether patches come together or one by one, on any number of threads', async () => {
    const bank = members(1000, 1);
    const { patches } = grid(bank, 10, 10, 0.01);
    const together = await distances({ bank, candidates: 4 }, column(patches));
    expect(await distances({ bank, candidates: 4 }, column(patches), 4)).toEqual(together);
    const search = await openMemorySearch({ bank, candidates: 4 });
    for (let row = 0; row < patches.rows; row++) {
      const alone = { rows: 1, columns: DIMS, data: patches.data.slice(DIMS * row, DIMS * (row + 1)) };
      expect((await search.distances(column(alone)))[0]).toBe(together[row]);
    }
    await search.dispose();
  });

  const weighted = Float32Array.from({ length: 3000 }, () => 0.25 + random.next());

  it.each([
    { bank: members(3000, 1), weights: undefined, rows: 32, columns: 32 },
    { bank: members(3000, 1), weights: weighted, rows: 32, columns: 32 },
    { bank: members(3000, 1), weights: weighted, rows: 33, columns: 27 },
    { bank: members(3000, 1), weights: weighted, rows: 90, columns: 80 },
    { bank: longMembers(3000), weights: weighted, rows: 32, columns: 32 },
  ])('finds by blocks what each patch finds by itself, on a grid of $rows × $columns', async ({ bank, ...search }) => {
    const features = grid(bank, search.rows, search.columns, 0.3);
    const memory = { bank, weights: search.weights };
    const byBlocks = { ...memory, candidates: 16, byBlocks: true };
    const alone = await distances({ ...memory, candidates: 4 }, features);
    const together = await distances(byBlocks, features);
    const ratios = Array.from(together, (distance, patch) => distance / alone[patch]!);
    expect(ratios.filter((ratio) => ratio === 1).length).toBeGreaterThan(0.98 * ratios.length);
    expect(await distances(byBlocks, features, 4)).toEqual(together);
  });

  it('finds by blocks what lies far from everything as far', async () => {
    const bank = members(3000, 1);
    const features = grid(bank, 8, 8, 0.3);
    features.patches.data.subarray(0, DIMS).fill(40);
    const [exact] = await exactDistances({ bank }, features);
    const [found] = await distances({ bank, candidates: 16, byBlocks: true }, features);
    expect(found! / exact!).toBeGreaterThan(0.9999);
    expect(found! / exact!).toBeLessThan(1.05);
  });
});

describe('chooseSearch', () => {
  it('takes blocks where neighbouring patches are alike', async () => {
    const bank = members(1000, 1);
    const grids = [grid(bank, 32, 32, 0.1)];
    expect(await chooseSearch({ bank }, 1, grids)).toEqual({ candidates: 16, byBlocks: true });
    expect(await chooseSearch({ bank }, 3, grids)).toEqual({ candidates: 32, byBlocks: true });
  });

  it.each([
    { rows: 6144, candidates: [4, 16, 48] },
    { rows: 6143, candidates: [4, 16] },
  ])('looks at more candidates of blocks whose patches differ more, where it pays: $rows members', async (kind) => {
    const bank = members(kind.rows, 1);
    const chosen = new Set<number | undefined>();
    for (let noise = 0.54; noise < 0.74; noise += 0.02)
      chosen.add((await chooseSearch({ bank }, 1, [grid(bank, 64, 32, noise)])).candidates);
    expect(chosen).toEqual(new Set(kind.candidates));
  });

  it('takes candidates of each patch where neighbours differ', async () => {
    const bank = members(1000, 1);
    const shuffled = grid(bank, 1024, 1, 0.1);
    const places = Array.from({ length: 1024 }, (_, row) => (row * 389) % 1024);
    const data = Float32Array.from(shuffled.patches.data, (_, at) => {
      const place = places[Math.floor(at / DIMS)]!;
      return shuffled.patches.data[place * DIMS + (at % DIMS)]!;
    });
    const grids = [{ rows: 32, columns: 32, patches: { ...shuffled.patches, data } }];
    expect(await chooseSearch({ bank }, 1, grids)).toEqual({ candidates: 4 });
  });

  it('searches all where members lie closer together than 8 bits can tell', async () => {
    const bank = members(1000, 0.003);
    expect(await chooseSearch({ bank }, 1, [grid(bank, 32, 32, 0.001)])).toEqual({});
  });

  it('searches all of a small memory', async () => {
    const bank = members(511, 1);
    expect(await chooseSearch({ bank }, 1, [grid(bank, 32, 32, 0.1)])).toEqual({});
  });
});
