import { Tensor } from 'onnxruntime-node';
import type { PatchFeatures } from '../backbone/patch-extractor.ts';
import { type Matrix, takeRows } from '../math/matrix.ts';
import { matrixTensor } from '../onnx/open-matrix-product.ts';
import { openSession, type Threads } from '../onnx/open-session.ts';
import { BLOCK, blockCells, blockSearchGraph } from './block-search.ts';
import { exactSearchGraph } from './exact-search.ts';
import type { PatchMemory, SearchGraph } from './patch-memory.ts';

/** Search for the nearest members of a memory bank; distances are averaged over the `neighbours` nearest. */
export interface MemorySearch {
  /**
   * Distances of an image's patches. [rows · columns]
   * @param without members that are not to be found; at least one member remains
   */
  distances(features: PatchFeatures, without?: readonly number[]): Promise<Float32Array>;
  /** Distances of patches that are no neighbours. [patches] */
  patchDistances(patches: Matrix, without?: readonly number[]): Promise<Float32Array>;
  dispose(): Promise<void>;
}

/** With fewer members the exact search is as fast. */
const MANY = 512;
/** How much farther than the nearest members those of the shortlist may be, on average. */
const FARTHER = 1.001;
/** Lengths of the shortlist, for each neighbour and one more: the shorter, the faster. */
const SHORTLISTS = [8, 24];

/**
 * Entries of the product of queries and members at a time, so that it stays in the processor's cache, and the fewest rows
 * that keep it busy. For 4,096 queries and 16,000 members at once it would take 256 MB.
 */
const PRODUCT = 2 ** 19;
const FEWEST_ROWS = 64;

/** Runs a search graph on some rows at a time. @param step the number of rows at a time is a multiple of it */
async function openSearch({ model, members, far }: SearchGraph, threads: Threads, step: number) {
  const session = await openSession(model, threads);
  const rowsAtOnce = step * Math.max(FEWEST_ROWS, Math.floor(PRODUCT / members.length));
  return {
    /** Distances of the given rows of the patches. [rows] */
    async distances(patches: Matrix, rows: Uint32Array, without: readonly number[]): Promise<Float32Array> {
      const found = members.slice();
      for (const member of without) found[member] = far;
      const distances = new Float32Array(rows.length);
      for (let start = 0, end = 0; start < rows.length; start = end) {
        end = Math.min(rows.length, start + rowsAtOnce);
        // The runtime multiplies a single row in another way, with other last bits.
        if (rows.length - end === 1) end = rows.length;
        const queries = matrixTensor(takeRows(patches, rows.subarray(start, end)));
        const results = await session.run({ queries, members: new Tensor('float32', found, [found.length]) });
        distances.set(results['distances']?.data as Float32Array, start);
      }
      return distances;
    },
    dispose: () => session.release(),
  };
}

/**
 * Opens the search in a memory bank: by blocks where it has a shortlist, exact otherwise, and exact also where fewer
 * members remain than the shortlist is long.
 */
export async function openMemorySearch(
  memory: PatchMemory,
  neighbours = 1,
  threads: Threads = 1,
): Promise<MemorySearch> {
  const { bank, shortlist = bank.rows } = memory;
  // Each search holds a copy of the bank for every thread, so it is opened when it is needed.
  let exact: ReturnType<typeof openSearch> | undefined;
  const openExact = () => (exact ??= openSearch(exactSearchGraph(memory, neighbours), threads, 1));
  const blocks =
    shortlist < bank.rows
      ? await openSearch(blockSearchGraph(memory, shortlist, neighbours), threads, BLOCK)
      : undefined;
  if (!blocks) await openExact();
  const searchExactly = async (patches: Matrix, without: readonly number[]): Promise<Float32Array> =>
    (await openExact()).distances(
      patches,
      Uint32Array.from({ length: patches.rows }, (_, row) => row),
      without,
    );
  const isTooFew = (without: readonly number[]): boolean => bank.rows - without.length < shortlist;
  return {
    async distances({ rows, columns, patches }, without = []) {
      if (!blocks || isTooFew(without)) return searchExactly(patches, without);
      const cells = blockCells(rows, columns);
      const found = await blocks.distances(patches, cells, without);
      const distances = new Float32Array(rows * columns);
      cells.forEach((cell, at) => {
        distances[cell] = found[at]!;
      });
      return distances;
    },
    async patchDistances(patches, without = []) {
      if (!blocks || isTooFew(without)) return searchExactly(patches, without);
      // Each patch is a block of its own.
      const cells = Uint32Array.from({ length: BLOCK * patches.rows }, (_, at) => Math.floor(at / BLOCK));
      const found = await blocks.distances(patches, cells, without);
      return found.filter((_, at) => at % BLOCK === 0);
    },
    async dispose() {
      await blocks?.dispose();
      await (await exact)?.dispose();
    },
  };
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
    }
  };
  const exact = await total();
  for (const each of SHORTLISTS) {
    const shortlist = each * (neighbours + 1);
    if ((await total(shortlist)) <= FARTHER * exact) return { shortlist };
  }
  return {};
}
