import { Tensor } from 'onnxruntime-node';
import { type Matrix, type Rows, squaredLengths, takeRows } from '../math/matrix.ts';
import { rankedValue } from '../math/quantile.ts';
import { GraphBuilder } from '../onnx/graph-builder.ts';
import { type MatrixProduct, matrixTensor } from '../onnx/open-matrix-product.ts';
import { openSession } from '../onnx/open-session.ts';
import { prefetch } from '../onnx/prefetch.ts';
import type { Random } from '../types.ts';
import { throwIfCancelled } from '../vision-error.ts';

export interface CoresetOptions {
  /** Members wanted; all candidates at most. */
  readonly count: number;
  /** From `least` on, choosing ends when none is farther than `share` of the distance at {@link FIRST_MEMBERS}. */
  readonly enough?: { readonly least: number; readonly share: number };
  /** Distances are taken in this many dimensions of a random projection; 0 or ≥ dims: without projection. */
  readonly projectedDims: number;
  readonly random: Random;
  readonly product: MatrixProduct;
  readonly threads?: number | undefined;
  readonly signal: AbortSignal;
}

/** Candidates looked at between two updates of all distances. */
const POOL = 256;
/** Candidates whose distances are computed together, in the processor's cache. */
const BLOCK_ROWS = 2048;
/** So many cover the candidates coarsely. How slowly the distance from them shrinks with more tells their variety. */
const FIRST_MEMBERS = 100;

/** Johnson & Lindenstrauss 1984: distances survive a random projection nearly unchanged. [candidates, projectedDims] */
async function projectPoints(candidates: Rows, { projectedDims, random, product }: CoresetOptions): Promise<Matrix> {
  const { rows, columns } = candidates;
  const numbers = Uint32Array.from({ length: rows }, (_, row) => row);
  if (projectedDims <= 0 || projectedDims >= columns) return candidates.take(numbers);
  const scale = 1 / Math.sqrt(projectedDims);
  const axes = Float32Array.from({ length: columns * projectedDims }, () => random.normal() * scale);
  const data = new Float32Array(rows * projectedDims);
  for (let start = 0; start < rows; start += BLOCK_ROWS) {
    const block = candidates.take(numbers.subarray(start, start + BLOCK_ROWS));
    const projected = await product.multiply(block, { rows: columns, columns: projectedDims, data: axes });
    data.set(projected.data, start * projectedDims);
  }
  return { rows, columns: projectedDims, data };
}

function squaredDistance({ columns, data }: Matrix, a: number, b: number): number {
  let sum = 0;
  for (let d = 0; d < columns; d++) {
    const difference = data[a * columns + d]! - data[b * columns + d]!;
    sum += difference * difference;
  }
  return sum;
}

/** Squared distances of `points` from the nearest of a few `centres`, less the points' own squared lengths. */
function nearestCentreGraph(dims: number): Uint8Array {
  const graph = new GraphBuilder();
  const points = graph.input('points', ['points', dims]);
  const centres = graph.input('centres', ['centres', dims]);
  const squares = graph.input('centre_squares', ['centres']);
  const distances = graph.add('Gemm', [points, centres, squares], { alpha: { float: -2 }, transB: 1 });
  graph.output('nearest', graph.add('ReduceMin', [distances], { axes: [1], keepdims: 0 }));
  return graph.encode();
}

/** The squared distance of each point from the nearest of all centres so far. */
async function openNearestDistances(points: Matrix, threads: number) {
  const { rows, columns, data } = points;
  const session = await openSession(nearestCentreGraph(columns), threads);
  const squares = Float32Array.from(squaredLengths(points));
  const nearest = new Float32Array(rows).fill(Number.POSITIVE_INFINITY);
  const starts = Array.from({ length: Math.ceil(rows / BLOCK_ROWS) }, (_, block) => block * BLOCK_ROWS);
  return {
    nearest,
    /** Takes more centres into account. @param indices of the centres among the points */
    async addCentres(centres: Matrix, indices: readonly number[]): Promise<void> {
      const centreSquares = Float32Array.from(squaredLengths(centres));
      const feeds = {
        centres: matrixTensor(centres),
        centre_squares: new Tensor('float32', centreSquares, [centres.rows]),
      };
      const compute = async (start: number) => {
        const end = Math.min(rows, start + BLOCK_ROWS);
        const block = matrixTensor({ rows: end - start, columns, data: data.subarray(start * columns, end * columns) });
        const results = await session.run({ ...feeds, points: block });
        return { start, found: results['nearest']?.data as Float32Array };
      };
      for await (const { start, found } of prefetch(starts, compute))
        for (let i = 0; i < found.length; i++)
          nearest[start + i] = Math.min(nearest[start + i]!, Math.max(0, found[i]! + squares[start + i]!));
      for (const index of indices) nearest[index] = 0;
    },
    dispose: () => session.release(),
  };
}

/**
 * Greedy choice among the pool, the `POOL` candidates farthest from all centres. It is the same as among all candidates
 * for as long as the farthest of the pool is at least as far as the others' bound, because distances only shrink.
 */
function chooseFromPool(points: Matrix, nearest: Float32Array, wanted: number) {
  const bound = nearest.length <= POOL ? -1 : rankedValue(nearest, nearest.length - POOL - 1);
  const pool: number[] = [];
  for (let i = 0; i < nearest.length; i++) if (nearest[i]! > bound) pool.push(i);
  const pooled = takeRows(points, Uint32Array.from(pool));
  const distances = Float64Array.from(pool, (index) => nearest[index]!);
  const chosen: number[] = [];
  while (chosen.length < wanted) {
    let best = -1;
    let largest = Math.max(bound, 0);
    for (let i = 0; i < distances.length; i++) {
      if (distances[i]! <= largest) continue;
      best = i;
      largest = distances[i]!;
    }
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
  const points = await projectPoints(candidates, options);
  const distances = await openNearestDistances(points, options.threads ?? 1);
  const members = [options.random.integer(candidates.rows)];
  const membersAfter = planMembers(options, wanted);
  try {
    await distances.addCentres(takeRows(points, Uint32Array.from(members)), members);
    while (members.length < wanted) {
      throwIfCancelled(options.signal);
      const { nearest } = distances;
      const { chosen, centres } = chooseFromPool(points, nearest, membersAfter(members.length, nearest));
      if (chosen.length === 0) break;
      members.push(...chosen);
      await distances.addCentres(centres, chosen);
    }
  } finally {
    await distances.dispose();
  }
  return Uint32Array.from(members);
}
