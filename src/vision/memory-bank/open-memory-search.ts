import { Tensor } from 'onnxruntime-node';
import { type MapScorer, type PatchMeasure, smoothedScorer } from '../anomaly-map/map-scorer.ts';
import type { PatchFeatures } from '../backbone/patch-extractor.ts';
import { say } from '../engine-messages.ts';
import { type Matrix, takeRows } from '../math/matrix.ts';
import { GraphBuilder } from '../onnx/graph-builder.ts';
import { matrixTensor } from '../onnx/open-matrix-product.ts';
import { openSession } from '../onnx/open-session.ts';
import { VisionError } from '../vision-error.ts';
import { blockCells, blockSearchGraph } from './block-search.ts';

/** A memory bank: what patches are compared with. */
export interface PatchMemory {
  /** [members, dims] */
  readonly bank: Matrix;
  /** What the distance from each member is multiplied by; absent: 1. [members] */
  readonly weights?: Float32Array | undefined;
  /** Absent: patches are compared with all members. */
  readonly shortlist?: Shortlist | undefined;
  /** Absent where the images had no known content, and in models of earlier versions. */
  readonly sources?: MemberSources | undefined;
  /** What the smoothed distance at each place is multiplied by; absent: 1. [rows · columns] */
  readonly placeFactors?: Float32Array | undefined;
}

/** The images that a bank was learned from. */
export interface MemberSources {
  /** See `TrainingSample.content`. */
  readonly images: readonly string[];
  /** Index of each member's image. [members] */
  readonly imageOf: Uint32Array;
}

/** The few members that a square block of patches is compared with. They are found by 8-bit numbers. */
export interface Shortlist {
  readonly members: number;
  /** Patches in each direction that share a shortlist. */
  readonly blockSide: 1 | 2;
}

export interface OwnedBank extends PatchMemory {
  /** Item ids. [members] */
  readonly owners: readonly string[];
}

/** A network from `queries` [queries, dims] and `members` to their `distances` [queries]. */
export interface SearchGraph {
  readonly model: Uint8Array;
  /** A number for each member, usually the input `members`. */
  readonly members: Float32Array;
  /** With this number a member is never found. */
  readonly far: number;
}

/** With fewer members the exact search is as fast. */
const MANY = 512;
/** How much farther than the nearest members those of the shortlist may be, on average. */
const FARTHER = 1.002;
/** Shortlists from the fastest to the slowest, with the members for each neighbour and one more. */
const SHORTLISTS = [
  { each: 8, blockSide: 2, fewest: 0 },
  { each: 24, blockSide: 2, fewest: 128 },
  { each: 2, blockSide: 1, fewest: 0 },
] as const;

/** Entries of a product at a time, for the processor's cache, and the fewest rows that keep the processor busy. */
const PRODUCT = 2 ** 19;
const FEWEST_ROWS = 64;

/** Runs a search graph on some rows at a time. @param step the number of rows at a time is a multiple of it */
async function openSearch({ model, members, far }: SearchGraph, threads: number, step: number) {
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
 * Opens the search for the nearest members of a memory bank: by blocks where it has a shortlist, exact otherwise, and
 * exact also where fewer members remain than the shortlist is long. Distances are averaged over the `neighbours`
 * nearest; the members `without` are not found, and at least one other must remain.
 */
export async function openMemorySearch(memory: PatchMemory, neighbours = 1, threads: number = 1) {
  const { bank, shortlist } = memory;
  // Each search holds a copy of the bank for every thread, so it is opened when it is needed.
  let exact: ReturnType<typeof openSearch> | undefined;
  const openExact = () => (exact ??= openSearch(exactSearchGraph(memory, neighbours), threads, 1));
  const side = shortlist?.blockSide ?? 1;
  const blocks =
    shortlist && shortlist.members < bank.rows
      ? await openSearch(blockSearchGraph(memory, shortlist, neighbours), threads, side ** 2)
      : undefined;
  if (!blocks) await openExact();
  const searchExactly = async (patches: Matrix, without: readonly number[]): Promise<Float32Array> => {
    const rows = Uint32Array.from({ length: patches.rows }, (_, row) => row);
    return (await openExact()).distances(patches, rows, without);
  };
  const isTooFew = (without: readonly number[]): boolean => bank.rows - without.length < (shortlist?.members ?? 0);
  return {
    /** Distances of an image's patches. [rows · columns] */
    async distances({ rows, columns, patches }: PatchFeatures, without: readonly number[] = []): Promise<Float32Array> {
      if (!blocks || isTooFew(without)) return searchExactly(patches, without);
      const cells = blockCells(rows, columns, side);
      const found = await blocks.distances(patches, cells, without);
      const distances = new Float32Array(rows * columns);
      cells.forEach((cell, at) => {
        distances[cell] = found[at]!;
      });
      return distances;
    },
    /** Distances of patches that are no neighbours. [patches] */
    async patchDistances(patches: Matrix, without: readonly number[] = []): Promise<Float32Array> {
      if (!blocks || isTooFew(without)) return searchExactly(patches, without);
      // Each patch is a block of its own.
      const cells = Uint32Array.from({ length: side ** 2 * patches.rows }, (_, at) => Math.floor(at / side ** 2));
      const found = await blocks.distances(patches, cells, without);
      return found.filter((_, at) => at % side ** 2 === 0);
    },
    async dispose() {
      await blocks?.dispose();
      await (await exact)?.dispose();
    },
  };
}

/** The fastest shortlist with which approximate search finds what exact search finds; none where no shortlist does. */
export async function chooseSearch(
  { bank, weights }: PatchMemory,
  neighbours: number,
  images: readonly PatchFeatures[],
  threads: number = 1,
): Promise<Pick<PatchMemory, 'shortlist'>> {
  if (bank.rows < MANY) return {};
  // One search after the other, since each holds a copy of the bank for every thread.
  const total = async (shortlist?: Shortlist): Promise<number> => {
    const search = await openMemorySearch({ bank, weights, shortlist }, neighbours, threads);
    try {
      const found = await Promise.all(images.map((image) => search.distances(image)));
      return found.reduce((sum, distances) => distances.reduce((one, distance) => one + distance, sum), 0);
    } finally {
      await search.dispose();
    }
  };
  const exact = await total();
  for (const { each, blockSide, fewest } of SHORTLISTS) {
    const shortlist = { members: each * (neighbours + 1), blockSide };
    // In a small bank, a long shortlist takes more time than a short one for each patch.
    if (bank.rows < fewest * shortlist.members) continue;
    if ((await total(shortlist)) <= FARTHER * exact) return { shortlist };
  }
  return {};
}

/** A squared length so large that the member is never the nearest. No NaN comes of it. */
const FAR = 1e30;

/**
 * Exact nearest neighbours in one graph: w²·|q − b|² = (q, |q|²) · (−2w²·b, w²) + w²·|b|², a single Gemm, reduced at
 * once. The result is the weighted Euclidean distance, averaged over the `neighbours` nearest members.
 */
function exactSearchGraph({ bank, weights }: PatchMemory, neighbours: number): SearchGraph {
  const { rows, columns: dims, data } = bank;
  const factors = new Float32Array((dims + 1) * rows);
  const squares = new Float32Array(rows);
  for (let row = 0; row < rows; row++) {
    const weight = weights ? weights[row]! ** 2 : 1;
    let sum = 0;
    for (let d = 0; d < dims; d++) {
      const value = data[row * dims + d]!;
      factors[d * rows + row] = -2 * weight * value;
      sum += value * value;
    }
    factors[dims * rows + row] = weight;
    squares[row] = weight * sum;
  }
  const graph = new GraphBuilder();
  const queries = graph.input('queries', ['queries', dims]);
  const members = graph.input('members', [rows]);
  const querySquares = graph.add('ReduceSumSquare', [queries], { axes: [1], keepdims: 1 });
  const extended = graph.add('Concat', [queries, querySquares], { axis: 1 });
  const all = graph.add('Gemm', [extended, graph.constant(factors, [dims + 1, rows]), members]);
  const near = Math.min(neighbours, rows);
  const nearest =
    near === 1
      ? graph.add('ReduceMin', [all], { axes: [1], keepdims: 1 })
      : graph.addSplit('TopK', [all, graph.integers(near)], 2, { axis: 1, largest: 0, sorted: 1 })[0];
  // Rounding may leave a distance of zero slightly negative.
  const positive = graph.add('Max', [nearest, graph.constant(Float32Array.of(0))]);
  graph.output('distances', graph.add('ReduceMean', [graph.add('Sqrt', [positive])], { axes: [1], keepdims: 0 }));
  return { model: graph.encode(), members: squares, far: FAR };
}

/** Each row's bytes as a text: equal patches have equal ones, to the last bit. */
function rowKeys({ rows, columns, data }: Matrix): string[] {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  return Array.from({ length: rows }, (_, row) => bytes.toString('latin1', row * columns * 4, (row + 1) * columns * 4));
}

/** Held out, an image is compared without the members that are its own patches, unless there are no others. */
export async function openBankMeasure(
  memory: PatchMemory,
  neighbours: number,
  threads: number = 1,
): Promise<PatchMeasure> {
  const search = await openMemorySearch(memory, neighbours, threads);
  const factors = memory.placeFactors && Float64Array.from(memory.placeFactors);
  let keys: string[] | undefined;
  function ownMembers(patches: Matrix): number[] {
    keys ??= rowKeys(memory.bank);
    const own = new Set(rowKeys(patches));
    const members = [...keys.keys()].filter((member) => own.has(keys?.[member] ?? ''));
    return members.length < memory.bank.rows ? members : [];
  }
  return {
    async measure(features, heldOut) {
      const { rows, columns, patches } = features;
      if (factors && factors.length !== patches.rows)
        throw new VisionError('invalid_model', say('model.damaged', { part: 'placeFactors' }));
      const distances = await search.distances(features, heldOut ? ownMembers(patches) : []);
      return { rows, columns, features: patches, distances, ...(factors && { factors }) };
    },
    dispose: () => search.dispose(),
  };
}

export interface BankScoring {
  readonly neighbours: number;
  /** Standard deviation of the map's blur, in cells. */
  readonly smoothing: number;
  readonly threads?: number | undefined;
}

export const openBankScorer = async (
  memory: PatchMemory,
  { neighbours, smoothing, threads }: BankScoring,
): Promise<MapScorer> => smoothedScorer(await openBankMeasure(memory, neighbours, threads), smoothing);
