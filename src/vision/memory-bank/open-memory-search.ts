import type { PatchFeatures } from '../backbone/patch-extractor.ts';
import { takeRows } from '../math/matrix.ts';
import { collectGarbage } from '../onnx/collect-garbage.ts';
import type { Threads } from '../onnx/open-session.ts';
import { type CandidateMemory, nearestCandidatesPart } from './nearest-candidates-part.ts';
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

/** From so many members on it pays to look for candidates first. */
const MANY = 512;
const SAMPLE = 256;
/** How much farther than the nearest members the nearest candidates may be, on average. */
const FARTHER = 1.001;
/** Candidates for each neighbour and one more: of a patch; of a block, whose patches may each have others, the fewer the faster. */
const FOR_PATCHES = 2;
const FOR_BLOCKS = [8, 24];
/** Members for each candidate of a block from which on more than the fewest take less time than a search of each patch. */
const MEMBERS_EACH = 128;

/** What a memory says of its search, beside what it holds. */
export type SearchChoice = Pick<PatchMemory, 'candidates' | 'byBlocks'>;

/** Cells whose patches are put block by block at a time, so that working memory does not grow with the image. */
const CHUNK = 1024 * BLOCK;

/** The distances that a search by blocks finds for the cells of a grid. */
const searchBlocks = (search: NearestNeighbours): MapDistances => ({
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

/** Distances of a whole grid by a search that {@link openCandidateSearch} has opened in the memory. */
export const candidateDistances = ({ byBlocks }: PatchMemory, search: NearestNeighbours): MapDistances =>
  byBlocks ? searchBlocks(search) : mapDistances(search);

/** The same for patches from anywhere: where the memory is searched by blocks, each is a block of its own. */
export const searchAlone = ({ byBlocks }: PatchMemory, search: NearestNeighbours): NearestNeighbours => ({
  async distances(queries) {
    if (!byBlocks) return search.distances(queries);
    const cells = Uint32Array.from({ length: BLOCK * queries.rows }, (_, at) => Math.floor(at / BLOCK));
    const found = await search.distances(takeRows(queries, cells));
    return found.filter((_, at) => at % BLOCK === 0);
  },
  dispose: () => search.dispose(),
});

/** Search among the memory's candidates; block by block where it is searched so. */
export function openCandidateSearch(
  memory: CandidateMemory,
  neighbours: number,
  options: Omit<SearchOptions, 'rowsAtOnce'>,
): Promise<PatchSearch> {
  const part = nearestCandidatesPart('queries', memory, neighbours, 'result');
  const rowsAtOnce = rowsAgainst(memory.bank.rows) * (memory.byBlocks ? BLOCK : 1);
  return openPatchSearch(part, memory.bank.columns, { ...options, rowsAtOnce });
}

/** Search in a memory that many patches go through: distances averaged over the `neighbours` nearest, of its candidates if it has any. */
export async function openMemorySearch(
  memory: PatchMemory,
  neighbours = 1,
  threads: Threads = 1,
): Promise<MapDistances> {
  const { bank, candidates = bank.rows } = memory;
  if (candidates >= bank.rows) return mapDistances(await openNearestNeighbours(memory, neighbours, threads));
  return candidateDistances(memory, await openCandidateSearch({ ...memory, candidates }, neighbours, { threads }));
}

async function totalDistance(search: MapDistances, grids: readonly PatchFeatures[]): Promise<number> {
  try {
    const found = await Promise.all(grids.map((grid) => search.distances(grid)));
    return found.reduce((total, distances) => distances.reduce((sum, distance) => sum + distance, total), 0);
  } finally {
    await search.dispose();
    // The next one is as large.
    collectGarbage();
  }
}

/** Members as patches: each is its own nearest one, and the next are about as far as good patches are. */
function sampleOf(bank: PatchMemory['bank']): PatchFeatures {
  const every = Math.ceil(bank.rows / SAMPLE);
  const rows = Uint32Array.from({ length: Math.floor(bank.rows / every) }, (_, row) => row * every);
  return { rows: rows.length, columns: 1, patches: takeRows(bank, rows) };
}

/**
 * The fastest search that finds what the exact one finds: by blocks where neighbouring patches of good images are alike
 * enough for it, else by candidates of each patch; an exact one where members lie closer together than 8 bits can tell,
 * or where nothing else would pay.
 * @param grids patches of some good images
 */
export async function chooseSearch(
  { bank, weights }: PatchMemory,
  neighbours: number,
  grids: readonly PatchFeatures[],
  threads: Threads = 1,
): Promise<SearchChoice> {
  if (bank.rows < MANY) return {};
  const forPatches = { candidates: FOR_PATCHES * (neighbours + 1) };
  // One search after the other, since each is a copy of the memory for every thread.
  const ofMembers = async (choice: SearchChoice): Promise<number> =>
    totalDistance(await openMemorySearch({ bank, weights, ...choice }, neighbours + 1), [sampleOf(bank)]);
  const found = await ofMembers({ candidates: forPatches.candidates + 1 });
  if (found > FARTHER * (await ofMembers({}))) return {};
  const total = async (choice: SearchChoice): Promise<number> =>
    totalDistance(await openMemorySearch({ bank, weights, ...choice }, neighbours, threads), grids);
  const alone = await total(forPatches);
  for (const [index, each] of FOR_BLOCKS.entries()) {
    const forBlocks = { candidates: each * (neighbours + 1), byBlocks: true };
    if (index > 0 && bank.rows < MEMBERS_EACH * forBlocks.candidates) break;
    if ((await total(forBlocks)) <= FARTHER * alone) return forBlocks;
  }
  return forPatches;
}
