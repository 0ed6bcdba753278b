import { Tensor } from 'onnxruntime-node';
import { rankedValue } from '../math/ranked-value.ts';
import { squaredLengths } from '../math/squared-lengths.ts';
import type { OnnxGraph, OnnxNode } from '../onnx/onnx-model.ts';
import type { Matrix, MatrixProduct } from '../onnx/open-matrix-product.ts';
import { openSession, type Threads } from '../onnx/open-session.ts';
import type { Random } from '../types.ts';
import { throwIfCancelled } from '../vision-error.ts';
import { workAhead } from './work-ahead.ts';

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
/** Candidates that are projected together: they are copied to the thread that does it. */
const PROJECTED_ROWS = 4 * BLOCK_ROWS;
/** So many cover the candidates coarsely. How slowly the distance from them shrinks with more tells their variety. */
const FIRST_MEMBERS = 100;

/** {@link BLOCK_ROWS} points a block, fewer in the last one. In pieces, which fit into what memory is free already. */
type PointBlocks = readonly Matrix[];

const rowsOf = ({ columns, data }: Matrix, start: number, end: number): Matrix => ({
  ...{ rows: end - start, columns },
  data: data.subarray(start * columns, end * columns),
});

/** The matrix in blocks, which lie in its memory. */
const inBlocks = (matrix: Matrix, size: number): Matrix[] =>
  Array.from({ length: Math.ceil(matrix.rows / size) }, (_, block) =>
    rowsOf(matrix, block * size, Math.min((block + 1) * size, matrix.rows)),
  );

/** Johnson & Lindenstrauss 1984: distances survive a random projection nearly unchanged. */
async function project(candidates: Matrix, { projectedDims, random, product }: CoresetOptions): Promise<PointBlocks> {
  if (projectedDims <= 0 || projectedDims >= candidates.columns) return inBlocks(candidates, BLOCK_ROWS);
  const scale = 1 / Math.sqrt(projectedDims);
  const { columns } = candidates;
  const axes = {
    ...{ rows: columns, columns: projectedDims },
    data: Float32Array.from({ length: columns * projectedDims }, () => random.normal() * scale),
  };
  const works = inBlocks(candidates, PROJECTED_ROWS).map((some) => () => product.multiply(some, axes));
  const blocks: Matrix[] = [];
  for await (const projected of workAhead(works, 1)) blocks.push(...inBlocks(projected, BLOCK_ROWS));
  return blocks;
}

function takePoints(points: PointBlocks, indices: readonly number[]): Matrix {
  const columns = points[0]?.columns ?? 0;
  const data = new Float32Array(indices.length * columns);
  indices.forEach((index, row) => {
    const from = (index % BLOCK_ROWS) * columns;
    const block = points[Math.floor(index / BLOCK_ROWS)];
    if (block) data.set(block.data.subarray(from, from + columns), row * columns);
  });
  return { rows: indices.length, columns, data };
}

function squaredDistance({ columns, data }: Matrix, a: number, b: number): number {
  let sum = 0;
  for (let d = 0; d < columns; d++) {
    const difference = data[a * columns + d]! - data[b * columns + d]!;
    sum += difference * difference;
  }
  return sum;
}

const pointsInput = (block: number): string => `points_${block}`;

/** Squared distances of the points, which it takes as inputs, from the nearest of a few centres. */
function nearestCentreGraph(points: PointBlocks, squares: Float32Array): OnnxGraph {
  const columns = points[0]?.columns ?? 0;
  const constants = [{ name: 'point_squares', dims: [squares.length], data: squares }];
  const nodes: OnnxNode[] = [];
  const smallest = points.map((_, block) => {
    const [partial, least] = [`partial_${block}`, `smallest_${block}`];
    const distances = { inputs: [pointsInput(block), 'centres', 'centre_squares'], outputs: [partial] };
    nodes.push({ op: 'Gemm', ...distances, attributes: { alpha: { float: -2 }, transB: 1 } });
    nodes.push({ op: 'ReduceMin', inputs: [partial], outputs: [least], attributes: { axes: [1], keepdims: 0 } });
    return least;
  });
  nodes.push({ op: 'Concat', inputs: smallest, outputs: ['smallest'], attributes: { axis: 0 } });
  nodes.push({ op: 'Add', inputs: ['smallest', 'point_squares'], outputs: ['nearest'] });
  const inputs = [
    { name: 'centres', dims: ['centres', columns] },
    { name: 'centre_squares', dims: ['centres'] },
    ...points.map(({ rows }, block) => ({ name: pointsInput(block), dims: [rows, columns] })),
  ];
  return { inputs, outputs: [{ name: 'nearest', dims: [squares.length] }], constants, nodes };
}

/** The points in as many parts as there are threads to work on one each. */
async function openParts(points: PointBlocks, squares: Float32Array, threads: Threads) {
  const size = Math.ceil(points.length / (typeof threads === 'number' ? 1 : threads.count));
  return Promise.all(
    Array.from({ length: Math.ceil(points.length / size) }, async (_, part) => {
      const some = points.slice(part * size, (part + 1) * size);
      const start = part * size * BLOCK_ROWS;
      const graph = nearestCentreGraph(some, squares.subarray(start, start + size * BLOCK_ROWS));
      const session = await openSession(graph, threads, part);
      const tensors = some.map(({ rows, columns, data }, block) => [
        pointsInput(block),
        new Tensor('float32', data, [rows, columns]),
      ]);
      await session.keep(Object.fromEntries(tensors));
      return { start, session };
    }),
  );
}

/** Squared distances of all candidates from a few centres, the smaller of them and of what was known before. */
async function openDistanceUpdate(points: PointBlocks, threads: Threads) {
  const squares = Float32Array.from(points.flatMap((block) => Array.from(squaredLengths(block))));
  const parts = await openParts(points, squares, threads);
  return {
    async update(nearest: Float32Array, centres: readonly number[]): Promise<void> {
      const taken = takePoints(points, centres);
      const feeds = {
        centres: new Tensor('float32', taken.data, [taken.rows, taken.columns]),
        centre_squares: new Tensor(
          'float32',
          Float32Array.from(centres, (centre) => squares[centre]!),
          [centres.length],
        ),
      };
      const asked = parts.map(async ({ start, session }) => {
        const found = (await session.run(feeds))['nearest']?.data as Float32Array;
        for (let i = 0; i < found.length; i++)
          nearest[start + i] = Math.min(nearest[start + i]!, Math.max(0, found[i]!));
      });
      await Promise.all(asked);
      for (const centre of centres) nearest[centre] = 0;
    },
    async dispose(): Promise<void> {
      await Promise.all(parts.map(({ session }) => session.release()));
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
function chooseFromPool(points: PointBlocks, nearest: Float32Array, wanted: number): number[] {
  const { pool, bound } = farthest(nearest);
  // In one piece, as they are gone through for every choice.
  const pooled = takePoints(points, pool);
  const distances = Float64Array.from(pool, (index) => nearest[index]!);
  const chosen: number[] = [];
  while (chosen.length < wanted) {
    let best = -1;
    let largest = Math.max(bound, 0);
    for (let i = 0; i < distances.length; i++) if (distances[i]! > largest) [best, largest] = [i, distances[i]!];
    if (best < 0) break;
    chosen.push(pool[best]!);
    for (let i = 0; i < distances.length; i++)
      if (distances[i]! > 0) distances[i] = Math.min(distances[i]!, squaredDistance(pooled, i, best));
    distances[best] = 0;
  }
  return chosen;
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
 * @param candidates [candidates, dims]
 * @returns indices of the members in the order of choice; fewer than asked where the rest are duplicates
 * @throws VisionError `cancelled`
 */
export async function selectCoreset(candidates: Matrix, options: CoresetOptions): Promise<Uint32Array> {
  const wanted = Math.min(options.count, candidates.rows);
  if (wanted === 0) return new Uint32Array();
  const points = await project(candidates, options);
  const distances = await openDistanceUpdate(points, options.threads ?? 1);
  const nearest = new Float32Array(candidates.rows).fill(Number.POSITIVE_INFINITY);
  const members = [options.random.integer(candidates.rows)];
  const membersAfter = planMembers(options, wanted);
  try {
    await distances.update(nearest, members);
    while (members.length < wanted) {
      throwIfCancelled(options.signal);
      const chosen = chooseFromPool(points, nearest, membersAfter(members.length, nearest));
      if (chosen.length === 0) break;
      members.push(...chosen);
      await distances.update(nearest, chosen);
      options.report?.(members.length / wanted);
    }
  } finally {
    await distances.dispose();
  }
  return Uint32Array.from(members);
}

/** The given rows, in the order given; rows that follow each other are copied at once. */
export function takeRows(matrix: Matrix, rows: Uint32Array): Matrix {
  const { columns } = matrix;
  const data = new Float32Array(rows.length * columns);
  for (let start = 0, end = 0; start < rows.length; start = end) {
    const first = rows[start]!;
    while (end < rows.length && rows[end] === first + end - start) end++;
    data.set(matrix.data.subarray(first * columns, (first + end - start) * columns), start * columns);
  }
  return { rows: rows.length, columns, data };
}
