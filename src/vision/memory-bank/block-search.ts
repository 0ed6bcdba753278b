import { GraphBuilder, type GraphValue } from '../onnx/graph-builder.ts';
import { type CodedMembers, codeMembers, LENGTH_COLUMNS, QUERY_MIDDLE, queryOffsets } from './coded-members.ts';
import type { PatchMemory, SearchGraph } from './patch-memory.ts';

/** Neighbouring cells in each direction that are searched for together, and their number. */
const SIDE = 2;
export const BLOCK = SIDE * SIDE;
/** Axes of a block's mean that choose its shortlist. More would halve the speed of the product for the same members. */
const SHORTLIST_AXES = 64;
/** Members are compared in groups first: the least of 16 is found much faster than the first of 16 ranks. */
const GROUP = 16;
/** The constant part of a member's distance that puts it after all others. */
const FAR = 3e38;

const SMALLEST = { axis: 1, largest: 0, sorted: 0 };
const ALONG_ROW = { axis: 1 };
const ROW_SQUARES = { axes: [1], keepdims: 1 };

/** Cells of a grid block by block, {@link BLOCK} in a row; blocks that reach over its end repeat its last cells. */
export function blockCells(rows: number, columns: number): Uint32Array {
  const cells = new Uint32Array(BLOCK * Math.ceil(rows / SIDE) * Math.ceil(columns / SIDE));
  let at = 0;
  for (let top = 0; top < rows; top += SIDE)
    for (let left = 0; left < columns; left += SIDE)
      for (let y = top; y < top + SIDE; y++)
        for (let x = left; x < left + SIDE; x++)
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
  const { perColumn, offsets } = queryOffsets(coded);
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

/**
 * Approximate nearest neighbours. Neighbouring patches see nearly the same: the members nearest to the mean of a block
 * of patches, by numbers of 8 bits, are a shortlist for each of them. Whole numbers add up to the same on every machine,
 * so that the shortlist is the same everywhere. A product of floats picks each patch's nearest members from it, and only
 * their distances are computed exactly. Queries come block by block (`blockCells`).
 * @param shortlist members in a shortlist, at least `neighbours`
 */
export function blockSearchGraph(memory: PatchMemory, shortlist: number, neighbours: number): SearchGraph {
  const { bank, weights } = memory;
  const { rows, columns: dims, data } = bank;
  const axes = Math.min(SHORTLIST_AXES, dims);
  const coded = codeMembers(memory, axes, GROUP, FAR);
  const { columns } = coded;
  const graph = new GraphBuilder();
  const queries = graph.input('queries', ['queries', dims]);
  const members = graph.input('members', [columns]);

  const blocks = graph.add('Reshape', [queries, graph.integers(-1, BLOCK, dims)]);
  const means = graph.add('ReduceMean', [blocks], { axes: [1], keepdims: 0 });
  const about = graph.add('MatMulIntegerToFloat', [
    codeQueries(graph, means, coded, axes),
    graph.constant(coded.codes, [axes + LENGTH_COLUMNS, columns]),
    graph.constant(Float32Array.of(1), []),
    graph.constant(coded.scales),
    graph.constant(QUERY_MIDDLE, []),
    undefined,
    members,
  ]);
  const listed = smallestMembers(graph, about, columns, shortlist);

  // w²·(|q|² − 2q·b + |b|²) of each patch to the shortlist of its block, [patches, shortlist].
  const squares = new Float32Array(rows);
  for (let at = 0; at < data.length; at++) squares[Math.floor(at / dims)]! += data[at]! ** 2;
  const bankValue = graph.constant(bank.data, [rows, dims]);
  const eachBlock = graph.integers(-1, 1, shortlist);
  const eachPatch = graph.integers(-1, shortlist);
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
  const near = graph.integers(neighbours);
  const patchDistances = graph.add('Reshape', [distances, eachPatch]);
  const [, ranks] = graph.addSplit('TopK', [patchDistances, near], 2, SMALLEST);

  const ofBlock = graph.add('Reshape', [listed, eachBlock]);
  const ofPatches = graph.add('Expand', [ofBlock, graph.integers(1, BLOCK, 1)]);
  const nearest = graph.add('GatherElements', [graph.add('Reshape', [ofPatches, eachPatch]), ranks], ALONG_ROW);
  const nearestMembers = graph.add('Gather', [bankValue, nearest]);
  const differences = graph.add('Sub', [graph.add('Reshape', [queries, graph.integers(-1, 1, dims)]), nearestMembers]);
  let exact = graph.add('Sqrt', [graph.add('ReduceSumSquare', [differences], { axes: [2], keepdims: 0 })]);
  if (weights) exact = graph.add('Mul', [exact, graph.add('Gather', [graph.constant(weights), nearest])]);
  // Sorted, so that the mean adds up in one order.
  const [sorted] = graph.addSplit('TopK', [exact, near], 2, { axis: 1, largest: 0 });
  graph.output('distances', graph.add('ReduceMean', [sorted], { axes: [1], keepdims: 0 }));
  return { model: graph.encode(), members: coded.constants, far: FAR };
}
