import { Tensor } from 'onnxruntime-node';
import type { Matrix } from '../math/matrix.ts';
import { type Rows, takeRows } from '../math/matrix.ts';
import { rankedValue } from '../math/ranked-value.ts';
import { squaredLengths } from '../math/squared-lengths.ts';
import { collectGarbage } from '../onnx/collect-garbage.ts';
import type { OnnxGraph, OnnxNode } from '../onnx/onnx-model.ts';
import type { MatrixProduct } from '../onnx/open-matrix-product.ts';
import { openSession, type Threads } from '../onnx/open-session.ts';
import { prefetch } from '../onnx/prefetch.ts';
import type { Random } from '../types.ts';
import { throwIfCancelled } from '../vision-error.ts';

export interface CoresetOptions {
  /** Members wanted; all candidates at most. */
  readonly count: number;
  /**
   * Fewer are enough where they cover the candidates: from `least` members on, choosing ends when no candidate is farther
   * from the members than `share` of what was the farthest distance from the first {@link FIRST_MEMBERS}.
   */
  readonly enough?: { readonly least: number; readonly share: number };
  /** Distances are taken in this many dimensions of a random projection; 0 or ≥ dims: without projection. */
  readonly projectedDims: number;
  readonly random: Random;
  readonly product: MatrixProduct;
  readonly threads?: Threads;
  readonly signal: AbortSignal;
  report?(fraction: number): void;
}

/** Candidates looked at between two updates of all distances. */
const POOL = 256;
/** Candidates whose distances are computed together: what lies between fits into the processor's cache. */
const BLOCK_ROWS = 2048;
/** Blocks after which what they left in this thread is collected. */
const COLLECTED_BLOCKS = 4;
/** So many cover the candidates coarsely. How slowly the distance from them shrinks with more tells their variety. */
const FIRST_MEMBERS = 100;

/** The candidates among which distances are taken, computed when they are asked for: only those who compare them all keep them. */
interface Points {
  readonly rows: number;
  readonly columns: number;
  /** {@link BLOCK_ROWS} points, fewer in the last block. */
  block(block: number): Promise<Matrix>;
  take(indices: readonly number[]): Promise<Matrix>;
}

function blockOf(candidates: Rows, block: number): Matrix {
  const start = block * BLOCK_ROWS;
  const count = Math.min(BLOCK_ROWS, candidates.rows - start);
  return candidates.take(Uint32Array.from({ length: count }, (_, row) => start + row));
}

/** Johnson & Lindenstrauss 1984: distances survive a random projection nearly unchanged. */
function openPoints(candidates: Rows, { projectedDims, random, product }: CoresetOptions): Points {
  const { rows, columns } = candidates;
  const take = (indices: readonly number[]): Matrix => candidates.take(Uint32Array.from(indices));
  if (projectedDims <= 0 || projectedDims >= columns)
    return {
      ...{ rows, columns },
      block: async (block) => blockOf(candidates, block),
      take: async (indices) => take(indices),
    };
  const scale = 1 / Math.sqrt(projectedDims);
  const axes = {
    ...{ rows: columns, columns: projectedDims },
    data: Float32Array.from({ length: columns * projectedDims }, () => random.normal() * scale),
  };
  return {
    ...{ rows, columns: projectedDims },
    block: (block) => product.multiply(blockOf(candidates, block), axes),
    // The runtime multiplies a single row in a way of its own, and its point would be another than that in the block.
    take: async (indices) => rowsOf(await product.multiply(take([...indices, 0]), axes), indices.length),
  };
}

/** The first rows, in the matrix's memory. */
const rowsOf = ({ columns, data }: Matrix, rows: number): Matrix => ({
  ...{ rows, columns },
  data: data.subarray(0, rows * columns),
});

function squaredDistance({ columns, data }: Matrix, a: number, b: number): number {
  let sum = 0;
  for (let d = 0; d < columns; d++) {
    const difference = data[a * columns + d]! - data[b * columns + d]!;
    sum += difference * difference;
  }
  return sum;
}

const pointsInput = (block: number): string => `points_${block}`;

/** Squared distances of some blocks, which it takes as inputs, from the nearest of a few centres, less the points' own squared lengths. */
function nearestCentreGraph(blocks: readonly number[], columns: number): OnnxGraph {
  const nodes: OnnxNode[] = blocks.flatMap((block) => {
    const [partial, least] = [`partial_${block}`, `smallest_${block}`];
    const distances = { inputs: [pointsInput(block), 'centres', 'centre_squares'], outputs: [partial] };
    return [
      { op: 'Gemm', ...distances, attributes: { alpha: { float: -2 }, transB: 1 } },
      { op: 'ReduceMin', inputs: [partial], outputs: [least], attributes: { axes: [1], keepdims: 0 } },
    ];
  });
  const smallest = blocks.map((block) => `smallest_${block}`);
  nodes.push({ op: 'Concat', inputs: smallest, outputs: ['nearest'], attributes: { axis: 0 } });
  const inputs = [
    { name: 'centres', dims: ['centres', columns] },
    { name: 'centre_squares', dims: ['centres'] },
    ...blocks.map((block) => ({ name: pointsInput(block), dims: [`rows_${block}`, columns] })),
  ];
  return { inputs, outputs: [{ name: 'nearest', dims: ['points'] }], constants: [], nodes };
}

/** The blocks in as many parts as there are threads to work on one each. */
function openParts({ rows, columns }: Points, threads: Threads) {
  const blocks = Array.from({ length: Math.ceil(rows / BLOCK_ROWS) }, (_, block) => block);
  const size = Math.ceil(blocks.length / (typeof threads === 'number' ? 1 : threads.count));
  return Promise.all(
    Array.from({ length: Math.ceil(blocks.length / size) }, async (_, part) => {
      const own = blocks.slice(part * size, (part + 1) * size);
      return { own, session: await openSession(nearestCentreGraph(own, columns), threads, part) };
    }),
  );
}

/** Squared distances of all candidates from a few centres, the smaller of them and of what was known before. */
async function openDistanceUpdate(points: Points, threads: Threads) {
  const parts = await openParts(points, threads);
  const squares = new Float32Array(points.rows);
  const blocks = parts.flatMap(({ own, session }) => own.map((block) => ({ session, block })));
  const compute = async ({ session, block }: (typeof blocks)[number]) => ({
    session,
    block,
    matrix: await points.block(block),
  });
  const dispose = async (): Promise<void> => {
    await Promise.all(parts.map(({ session }) => session.release()));
  };
  try {
    for await (const { session, block, matrix } of prefetch(blocks, compute, 1)) {
      squares.set(squaredLengths(matrix), block * BLOCK_ROWS);
      await session.keep({ [pointsInput(block)]: new Tensor('float32', matrix.data, [matrix.rows, matrix.columns]) });
      if (block % COLLECTED_BLOCKS === 0) collectGarbage({ type: 'minor' });
    }
  } catch (error) {
    await dispose();
    throw error;
  }
  return {
    dispose,
    /** @param indices of the centres */
    async update(nearest: Float32Array, centres: Matrix, indices: readonly number[]): Promise<void> {
      const feeds = {
        centres: new Tensor('float32', centres.data, [centres.rows, centres.columns]),
        centre_squares: new Tensor('float32', Float32Array.from(squaredLengths(centres)), [centres.rows]),
      };
      const asked = parts.map(async ({ own, session }) => {
        const found = (await session.run(feeds))['nearest']?.data as Float32Array;
        const start = (own[0] ?? 0) * BLOCK_ROWS;
        for (let i = 0; i < found.length; i++)
          nearest[start + i] = Math.min(nearest[start + i]!, Math.max(0, found[i]! + squares[start + i]!));
      });
      await Promise.all(asked);
      for (const index of indices) nearest[index] = 0;
    },
  };
}

/** The `POOL` candidates farthest from all centres, and the distance that none of the others exceeds. */
function farthest(nearest: Float32Array): { pool: number[]; bound: number } {
  if (nearest.length <= POOL) return { pool: Array.from(nearest, (_, index) => index), bound: -1 };
  const bound = rankedValue(nearest, nearest.length - POOL - 1);
  const pool: number[] = [];
  for (let i = 0; i < nearest.length; i++) if (nearest[i]! > bound) pool.push(i);
  return { pool, bound };
}

/**
 * Greedy choice among the pool: it is the same as among all candidates for as long as the farthest of the pool is at
 * least as far as the others' bound, because distances only shrink.
 */
async function chooseFromPool(points: Points, nearest: Float32Array, wanted: number) {
  const { pool, bound } = farthest(nearest);
  const pooled = await points.take(pool);
  const distances = Float64Array.from(pool, (index) => nearest[index]!);
  const chosen: number[] = [];
  while (chosen.length < wanted) {
    let best = -1;
    let largest = Math.max(bound, 0);
    for (let i = 0; i < distances.length; i++) if (distances[i]! > largest) [best, largest] = [i, distances[i]!];
    if (best < 0) break;
    chosen.push(best);
    for (let i = 0; i < distances.length; i++)
      if (distances[i]! > 0) distances[i] = Math.min(distances[i]!, squaredDistance(pooled, i, best));
    distances[best] = 0;
  }
  return { chosen: chosen.map((at) => pool[at]!), centres: takeRows(pooled, Uint32Array.from(chosen)) };
}

/** Tells how many members to choose next; none when they are enough. */
function planMembers({ enough }: CoresetOptions, wanted: number): (count: number, nearest: Float32Array) => number {
  if (!enough) return (count) => wanted - count;
  let first = Number.POSITIVE_INFINITY;
  return (count, nearest) => {
    if (count < FIRST_MEMBERS) return Math.min(FIRST_MEMBERS, wanted) - count;
    const farthestSquare = nearest.reduce((a, b) => Math.max(a, b), 0);
    if (count === FIRST_MEMBERS) first = farthestSquare;
    if (count < enough.least) return Math.min(enough.least, wanted) - count;
    return farthestSquare <= first * enough.share ** 2 ? 0 : wanted - count;
  };
}

/**
 * Greedy k-centre coreset (Sener & Savarese 2018; Roth et al. 2022): again and again the candidate that is farthest
 * from all chosen ones. Distances are updated for many choices in one matrix product, without changing the choice.
 * @returns indices of the members in the order of choice; fewer than asked where the rest are duplicates
 * @throws VisionError `cancelled`
 */
export async function selectCoreset(candidates: Rows, options: CoresetOptions): Promise<Uint32Array> {
  const wanted = Math.min(options.count, candidates.rows);
  if (wanted === 0) return new Uint32Array();
  const points = openPoints(candidates, options);
  const distances = await openDistanceUpdate(points, options.threads ?? 1);
  const nearest = new Float32Array(candidates.rows).fill(Number.POSITIVE_INFINITY);
  const members = [options.random.integer(candidates.rows)];
  const membersAfter = planMembers(options, wanted);
  try {
    await distances.update(nearest, await points.take(members), members);
    while (members.length < wanted) {
      throwIfCancelled(options.signal);
      const wantedNow = membersAfter(members.length, nearest);
      const { chosen, centres } = await chooseFromPool(points, nearest, wantedNow);
      if (chosen.length === 0) break;
      members.push(...chosen);
      await distances.update(nearest, centres, chosen);
      options.report?.(members.length / wanted);
    }
  } finally {
    await distances.dispose();
  }
  return Uint32Array.from(members);
}
