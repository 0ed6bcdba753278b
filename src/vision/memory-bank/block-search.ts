import { GraphBuilder, type GraphValue } from '../onnx/graph-builder.ts';
import type { PatchMemory, SearchGraph, Shortlist } from './open-memory-search.ts';

/** Axes that choose the shortlist of a block of several patches. More would halve the speed for the same members. */
const SHORTLIST_AXES = 64;
/** Members are compared in groups first: the least of 16 is found much faster than the first of 16 ranks. */
const GROUP = 16;
/** The constant part of a member's distance that puts it after all others. */
const FAR = 3e38;

const SMALLEST = { axis: 1, largest: 0, sorted: 0 };
const ALONG_ROW = { axis: 1 };
const ROW_SQUARES = { axes: [1], keepdims: 1 };

/** Cells of a grid block by block, all cells of a block in a row; blocks that reach over its end repeat its last cells. */
export function blockCells(rows: number, columns: number, side: number): Uint32Array {
  const cells = new Uint32Array(side ** 2 * Math.ceil(rows / side) * Math.ceil(columns / side));
  let at = 0;
  for (let top = 0; top < rows; top += side)
    for (let left = 0; left < columns; left += side)
      for (let y = top; y < top + side; y++)
        for (let x = left; x < left + side; x++)
          cells[at++] = Math.min(y, rows - 1) * columns + Math.min(x, columns - 1);
  return cells;
}

/** The queries in whole numbers around 128: their first axes, and their squared length in quarter steps of a column. */
function codeQueries(graph: GraphBuilder, queries: GraphValue, coded: CodedMembers, axes: number): GraphValue {
  const one = graph.constant(Float32Array.of(1), []);
  const centred = graph.add('Sub', [queries, graph.constant(coded.centre)]);
  const first = graph.add('Slice', [centred, graph.integers(0), graph.integers(axes), graph.integers(1)]);
  const coordinates = graph.add('Mul', [first, graph.constant(Float32Array.of(1 / coded.step))]);
  const squared = graph.add('ReduceSumSquare', [centred], ROW_SQUARES);
  const perColumn = 1 / (LENGTH_COLUMNS * coded.lengthStep);
  const offsets = Float32Array.from(
    { length: LENGTH_COLUMNS },
    (_, column) => (column + 0.5) / LENGTH_COLUMNS - 0.5 - coded.middle * perColumn,
  );
  const length = graph.add('Mul', [squared, graph.constant(Float32Array.of(perColumn))]);
  const lengths = graph.add('Add', [length, graph.constant(offsets, [1, LENGTH_COLUMNS])]);
  const levels = graph.add('Concat', [coordinates, lengths], ALONG_ROW);
  return graph.add('QuantizeLinear', [levels, one, graph.constant(QUERY_MIDDLE, [])]);
}

/** The `count` members with the smallest of `distances`: first the columns of groups with the smallest minimum. */
function smallestMembers(graph: GraphBuilder, distances: GraphValue, columns: number, count: number): GraphValue {
  const width = columns / GROUP;
  const chosen = Math.min(count, width);
  const grouped = graph.add('Reshape', [distances, graph.integers(-1, GROUP, width)]);
  const least = graph.add('ReduceMin', [grouped], { axes: [1], keepdims: 0 });
  const [, best] = graph.addSplit('TopK', [least, graph.integers(chosen)], 2, SMALLEST);
  const bestEach = graph.add('Reshape', [best, graph.integers(-1, chosen, 1)]);
  const starts = graph.integers(...Array.from({ length: GROUP }, (_, group) => group * width));
  const likely = graph.add('Reshape', [graph.add('Add', [bestEach, starts]), graph.integers(-1, chosen * GROUP)]);
  const likelyDistances = graph.add('GatherElements', [distances, likely], ALONG_ROW);
  const [, places] = graph.addSplit('TopK', [likelyDistances, graph.integers(count)], 2, SMALLEST);
  return graph.add('GatherElements', [likely, places], ALONG_ROW);
}

interface BlockValues {
  /** [blocks, patches of a block, dims] */
  readonly blocks: GraphValue;
  /** The shortlist of each block. [blocks, shortlist] */
  readonly listed: GraphValue;
  readonly bankValue: GraphValue;
}

interface BlockOptions {
  readonly memory: PatchMemory;
  readonly shortlist: Shortlist;
  /** The number of neighbours, as a value of the graph. */
  readonly near: GraphValue;
}

/** The nearest members of each patch among the shortlist of its block. [patches, neighbours] */
function nearestOfBlock(
  graph: GraphBuilder,
  { blocks, listed, bankValue }: BlockValues,
  { memory: { bank, weights }, shortlist, near }: BlockOptions,
): GraphValue {
  const { rows, columns: dims, data } = bank;
  // w²·(|q|² − 2q·b + |b|²) of each patch to the shortlist of its block, [patches, shortlist].
  const squares = new Float32Array(rows);
  for (let at = 0; at < data.length; at++) squares[Math.floor(at / dims)]! += data[at]! ** 2;
  const eachBlock = graph.integers(-1, 1, shortlist.members);
  const eachPatch = graph.integers(-1, shortlist.members);
  const listedMembers = graph.add('Gather', [bankValue, listed]);
  const products = graph.add('FusedMatMul', [blocks, listedMembers], { transB: 1, alpha: { float: -2 } });
  const patchSquares = graph.add('ReduceSumSquare', [blocks], { axes: [2], keepdims: 1 });
  const listedSquares = graph.add('Gather', [graph.constant(squares), listed]);
  let distances = graph.add('Add', [
    graph.add('Add', [products, patchSquares]),
    graph.add('Reshape', [listedSquares, eachBlock]),
  ]);
  if (weights) {
    const squareWeights = graph.constant(weights.map((weight) => weight * weight));
    const blockWeights = graph.add('Reshape', [graph.add('Gather', [squareWeights, listed]), eachBlock]);
    distances = graph.add('Mul', [distances, blockWeights]);
  }
  const patchDistances = graph.add('Reshape', [distances, eachPatch]);
  const [, ranks] = graph.addSplit('TopK', [patchDistances, near], 2, SMALLEST);
  const ofBlock = graph.add('Reshape', [listed, eachBlock]);
  const ofPatches = graph.add('Expand', [ofBlock, graph.integers(1, shortlist.blockSide ** 2, 1)]);
  return graph.add('GatherElements', [graph.add('Reshape', [ofPatches, eachPatch]), ranks], ALONG_ROW);
}

/**
 * Approximate nearest neighbours. Neighbouring patches see nearly the same: the members nearest to the mean of a block
 * of patches, by numbers of 8 bits, are a shortlist for each of them. Whole numbers add up to the same on every
 * machine, so that the shortlist is the same everywhere. In a block of several patches, a product of floats picks each
 * patch's nearest members from it. Only their distances are computed exactly. Queries come block by block
 * (`blockCells`).
 */
export function blockSearchGraph(memory: PatchMemory, shortlist: Shortlist, neighbours: number): SearchGraph {
  const { bank, weights } = memory;
  const { rows, columns: dims } = bank;
  const isSingle = shortlist.blockSide === 1;
  const axes = isSingle ? dims : Math.min(SHORTLIST_AXES, dims);
  const coded = codeMembers(memory, axes);
  const { columns } = coded;
  const graph = new GraphBuilder();
  const queries = graph.input('queries', ['queries', dims]);
  const members = graph.input('members', [columns]);

  const blocks = graph.add('Reshape', [queries, graph.integers(-1, shortlist.blockSide ** 2, dims)]);
  const means = isSingle ? queries : graph.add('ReduceMean', [blocks], { axes: [1], keepdims: 0 });
  const about = graph.add('MatMulIntegerToFloat', [
    codeQueries(graph, means, coded, axes),
    graph.constant(coded.codes, [axes + LENGTH_COLUMNS, columns]),
    graph.constant(Float32Array.of(1), []),
    graph.constant(coded.scales),
    graph.constant(QUERY_MIDDLE, []),
    undefined,
    members,
  ]);
  const listed = smallestMembers(graph, about, columns, shortlist.members);
  const bankValue = graph.constant(bank.data, [rows, dims]);
  const near = graph.integers(neighbours);
  const nearest = isSingle ? listed : nearestOfBlock(graph, { blocks, listed, bankValue }, { memory, shortlist, near });
  const nearestMembers = graph.add('Gather', [bankValue, nearest]);
  const differences = graph.add('Sub', [graph.add('Reshape', [queries, graph.integers(-1, 1, dims)]), nearestMembers]);
  let exact = graph.add('Sqrt', [graph.add('ReduceSumSquare', [differences], { axes: [2], keepdims: 0 })]);
  if (weights) exact = graph.add('Mul', [exact, graph.add('Gather', [graph.constant(weights), nearest])]);
  // Sorted, so that the mean adds up in one order.
  const [sorted] = graph.addSplit('TopK', [exact, near], 2, { axis: 1, largest: 0 });
  graph.output('distances', graph.add('ReduceMean', [sorted], { axes: [1], keepdims: 0 }));
  return { model: graph.encode(), members: coded.constants, far: FAR };
}

const QUERY_STEPS = 127;
/** Seven bits: the sum of two products fits into 16 bits, also where exact sums are not asked for (`open-session.ts`). */
const MEMBER_STEPS = 63;
/** A query's squared length is spread over four columns; one column of 8 bits would be too coarse. */
const LENGTH_COLUMNS = 4;
/** Squared lengths up to so many times the largest member's are told apart; farther queries are far in any case. */
const LENGTH_REACH = 2;
/** The byte that stands for 0 in a query. */
const QUERY_MIDDLE = Uint8Array.of(128);

type CodedMembers = ReturnType<typeof codeMembers>;

const largest = (values: Float64Array, least: number): number => values.reduce((a, b) => Math.max(a, b), least);

/**
 * Members in whole numbers, as the right factor of a product with queries in whole numbers:
 * w²·|q − b|² = w²·|q|² − 2w²·q·b + w²·|b|² around the members' mean, one scale a member. The last columns may be
 * padding, far from everything.
 * @param axes q·b is taken over the first dims alone, which are the strongest where dims are principal axes
 * @returns `centre` [dims]; `step` of a query's coordinate; `middle`, the squared length of a query in the middle of
 * the range; `lengthStep`, the squared length that one step in one of the columns stands for; `codes` [axes +
 * LENGTH_COLUMNS, columns]; `scales` [columns]; `constants`, the constant part of each distance [columns]
 */
function codeMembers({ bank, weights }: PatchMemory, axes: number) {
  const { rows, columns: dims, data } = bank;
  const columns = GROUP * Math.ceil(rows / GROUP);
  const means = new Float64Array(dims);
  for (let at = 0; at < data.length; at++) means[at % dims]! += data[at]! / rows;
  const centre = Float32Array.from(means);
  const squares = new Float64Array(rows);
  const reaches = new Float64Array(rows);
  for (let row = 0; row < rows; row++)
    for (let d = 0; d < dims; d++) {
      const value = data[row * dims + d]! - centre[d]!;
      squares[row]! += value * value;
      if (d < axes) reaches[row] = Math.max(reaches[row]!, Math.abs(value));
    }
  // Members that are all the same lie at the centre.
  const step = largest(reaches, 1e-12) / QUERY_STEPS;
  const middle = (LENGTH_REACH / 2) * largest(squares, 1e-24);
  const lengthStep = middle / (QUERY_STEPS * LENGTH_COLUMNS);
  const codes = new Int8Array((axes + LENGTH_COLUMNS) * columns);
  const scales = new Float32Array(columns);
  const constants = new Float32Array(columns).fill(FAR);
  for (let row = 0; row < rows; row++) {
    const square = (weights?.[row] ?? 1) ** 2;
    // A whole number: its rounding would be the same error for every query. It is seven at least.
    const lengthCode = Math.min(MEMBER_STEPS, Math.floor((lengthStep * MEMBER_STEPS) / (2 * step * reaches[row]!)));
    const scale = lengthStep / lengthCode;
    for (let d = 0; d < axes; d++)
      codes[d * columns + row] = Math.round((-2 * step * (data[row * dims + d]! - centre[d]!)) / scale);
    for (let d = axes; d < axes + LENGTH_COLUMNS; d++) codes[d * columns + row] = lengthCode;
    scales[row] = square * scale;
    constants[row] = square * (squares[row]! + middle);
  }
  return { centre, step, middle, lengthStep, columns, codes, scales, constants };
}
