import type { PatchFeatures } from '../backbone/patch-extractor.ts';
import { type Matrix, takeRows } from '../math/matrix.ts';
import { collectGarbage } from '../onnx/collect-garbage.ts';
import type { Threads } from '../onnx/open-session.ts';
import { blockSearchPart, type ShortlistMemory } from './block-search-part.ts';
import type { PatchMemory } from './nearest-neighbours-part.ts';
import {
  type NearestNeighbours,
  openNearestNeighbours,
  openPatchSearch,
  type PatchSearch,
  rowsAgainst,
  type SearchOptions,
} from './open-nearest-neighbours.ts';
import { BLOCK, blockCells } from './patch-blocks.ts';
import { type MapDistances, mapDistances } from './score-patches.ts';

/** With fewer members the exact search is as fast. */
const MANY = 512;
/** How much farther than the nearest members those of the shortlist may be, on average. */
const FARTHER = 1.001;
/** Lengths of the shortlist, for each neighbour and one more: the shorter, the faster. */
const SHORTLISTS = [8, 24];
/** Cells that are searched block by block at a time, so that working memory does not grow with the image. */
const CHUNK = 1024 * BLOCK;

/** Distances of all cells of a feature map by a block search. */
export const blockDistances = (search: NearestNeighbours): MapDistances => ({
  async distances({ rows, columns, patches }) {
    const cells = blockCells(rows, columns);
    const distances = new Float32Array(rows * columns);
    for (let start = 0; start < cells.length; start += CHUNK) {
      const some = cells.subarray(start, start + CHUNK);
      const found = await search.distances(takeRows(patches, some));
      some.forEach((cell, at) => {
        distances[cell] = found[at]!;
      });
    }
    return distances;
  },
  dispose: () => search.dispose(),
});

/** Distances of patches that are no neighbours: each is a block of its own. */
export const singleDistances = (search: NearestNeighbours): NearestNeighbours => ({
  async distances(queries: Matrix) {
    const cells = Uint32Array.from({ length: BLOCK * queries.rows }, (_, at) => Math.floor(at / BLOCK));
    const found = await search.distances(takeRows(queries, cells));
    return found.filter((_, at) => at % BLOCK === 0);
  },
  dispose: () => search.dispose(),
});

/** Search of patches that come block by block. */
export function openBlockSearch(
  memory: ShortlistMemory,
  neighbours: number,
  options: Omit<SearchOptions, 'rowsAtOnce'>,
): Promise<PatchSearch> {
  const part = blockSearchPart('queries', memory, neighbours, 'result');
  return openPatchSearch(part, memory.bank.columns, {
    ...options,
    rowsAtOnce: rowsAgainst(memory.bank.rows) * BLOCK,
  });
}

/** Search in a memory bank for the patches of images: distances averaged over the `neighbours` nearest members. */
export async function openMemorySearch(
  memory: PatchMemory,
  neighbours = 1,
  threads: Threads = 1,
): Promise<MapDistances> {
  const { bank, shortlist = bank.rows } = memory;
  if (shortlist >= bank.rows) return mapDistances(await openNearestNeighbours(memory, neighbours, threads));
  return blockDistances(await openBlockSearch({ ...memory, shortlist }, neighbours, { threads }));
}

/**
 * The shortest shortlist with which the approximate search finds what the exact one finds in some good images; none where
 * neighbouring patches differ too much for it, or members lie closer together than 8 bits can tell.
 */
export async function chooseSearch(
  { bank, weights }: PatchMemory,
  neighbours: number,
  images: readonly PatchFeatures[],
  threads: Threads = 1,
): Promise<Pick<PatchMemory, 'shortlist'>> {
  if (bank.rows < MANY) return {};
  // One search after the other, since each holds a copy of the bank for every thread.
  const total = async (shortlist?: number): Promise<number> => {
    const search = await openMemorySearch({ bank, weights, shortlist }, neighbours, threads);
    try {
      const found = await Promise.all(images.map((image) => search.distances(image)));
      return found.reduce((sum, distances) => distances.reduce((one, distance) => one + distance, sum), 0);
    } finally {
      await search.dispose();
      collectGarbage();
    }
  };
  const exact = await total();
  for (const each of SHORTLISTS) {
    const shortlist = each * (neighbours + 1);
    if ((await total(shortlist)) <= FARTHER * exact) return { shortlist };
  }
  return {};
}
