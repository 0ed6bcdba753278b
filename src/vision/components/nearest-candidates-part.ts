import { type OnnxConstant, type OnnxNode, type OnnxPart, RUNTIME_DOMAIN } from '../onnx/onnx-model.ts';
import type { PatchMemory } from './nearest-neighbours-part.ts';

const QUERY_STEPS = 127;
/** Seven bits: processors without instructions for it add two products of 8 bits in 16, which must not overflow. */
const MEMBER_STEPS = 63;
/** A query's squared length takes part as four columns, each of which would be too coarse alone. */
const LENGTH_COLUMNS = 4;
/** Squared lengths up to so many times the largest member's are told apart; what lies farther out is far in any case. */
const LENGTH_REACH = 2;

/** Members whose nearest stands for all of them in the first choice: the least of 16 is found much faster than the first of 16 ranks. */
const GROUP = 16;
/** Farther than any member, and finite, so that no NaN comes of it. */
const FAR = 3e38;

/** Members in whole numbers, as the right factor of a product; the left one comes from {@link codePart}. */
interface CodedMembers {
  /** [dims] */
  readonly centre: Float32Array;
  /** Of a query's coordinate. */
  readonly step: number;
  /** Squared length of a query in the middle of the range. */
  readonly middle: number;
  /** Squared length that one step in one of the columns stands for. */
  readonly lengthStep: number;
  /** A multiple of {@link GROUP}: the last ones may be none, and far from everything. */
  readonly columns: number;
  /** [dims + LENGTH_COLUMNS, columns] */
  readonly codes: Int8Array;
  /** [columns] */
  readonly scales: Float32Array;
  /** [columns] */
  readonly constants: Float32Array;
}

function centreOf({ bank: { rows, columns, data } }: PatchMemory): Float32Array {
  const sums = new Float64Array(columns);
  for (let row = 0; row < rows; row++) for (let d = 0; d < columns; d++) sums[d]! += data[row * columns + d]! / rows;
  return Float32Array.from(sums);
}

const largest = (values: Float64Array, least: number): number => values.reduce((a, b) => Math.max(a, b), least);

/** w²·|q − b|² = w²·|q|² − 2w²·q·b + w²·|b|² around the members' mean, one scale a member. */
function codeMembers(memory: PatchMemory): CodedMembers {
  const { rows, columns: dims, data } = memory.bank;
  const columns = GROUP * Math.ceil(rows / GROUP);
  const centre = centreOf(memory);
  const squares = new Float64Array(rows);
  const reaches = new Float64Array(rows);
  for (let row = 0; row < rows; row++)
    for (let d = 0; d < dims; d++) {
      const value = data[row * dims + d]! - centre[d]!;
      squares[row]! += value * value;
      reaches[row] = Math.max(reaches[row]!, Math.abs(value));
    }
  // Members that are all the same lie at the centre.
  const step = largest(reaches, 1e-12) / QUERY_STEPS;
  const middle = (LENGTH_REACH / 2) * largest(squares, 1e-24);
  const lengthStep = middle / (QUERY_STEPS * LENGTH_COLUMNS);
  const codes = new Int8Array((dims + LENGTH_COLUMNS) * columns);
  const scales = new Float32Array(columns);
  const constants = new Float32Array(columns).fill(FAR);
  for (let row = 0; row < rows; row++) {
    const square = (memory.weights?.[row] ?? 1) ** 2;
    // Whole, as it is the same error for every query else; there are always seven steps at least.
    const lengthCode = Math.min(MEMBER_STEPS, Math.floor((lengthStep * MEMBER_STEPS) / (2 * step * reaches[row]!)));
    const scale = lengthStep / lengthCode;
    for (let d = 0; d < dims; d++)
      codes[d * columns + row] = Math.round((-2 * step * (data[row * dims + d]! - centre[d]!)) / scale);
    for (let d = dims; d < dims + LENGTH_COLUMNS; d++) codes[d * columns + row] = lengthCode;
    scales[row] = square * scale;
    constants[row] = square * (squares[row]! + middle);
  }
  return { centre, step, middle, lengthStep, columns, codes, scales, constants };
}

/** Queries in whole numbers around 128: their coordinates, and their squared length in steps of a quarter of a column. */
function codePart(input: string, members: CodedMembers): OnnxPart {
  const perColumn = 1 / (LENGTH_COLUMNS * members.lengthStep);
  const offsets = Float32Array.from(
    { length: LENGTH_COLUMNS },
    (_, column) => (column + 0.5) / LENGTH_COLUMNS - 0.5 - members.middle * perColumn,
  );
  const constants: OnnxConstant[] = [
    { name: 'centre', dims: [members.centre.length], data: members.centre },
    { name: 'per_step', dims: [1], data: Float32Array.of(1 / members.step) },
    { name: 'per_column', dims: [1], data: Float32Array.of(perColumn) },
    { name: 'offsets', dims: [1, LENGTH_COLUMNS], data: offsets },
    { name: 'one', dims: [], data: Float32Array.of(1) },
    { name: 'middle', dims: [], data: Uint8Array.of(128) },
  ];
  const nodes: OnnxNode[] = [
    { op: 'Sub', inputs: [input, 'centre'], outputs: ['centred'] },
    { op: 'Mul', inputs: ['centred', 'per_step'], outputs: ['coordinates'] },
    { op: 'ReduceSumSquare', inputs: ['centred'], outputs: ['squared'], attributes: { axes: [1], keepdims: 1 } },
    { op: 'Mul', inputs: ['squared', 'per_column'], outputs: ['length'] },
    { op: 'Add', inputs: ['length', 'offsets'], outputs: ['lengths'] },
    { op: 'Concat', inputs: ['coordinates', 'lengths'], outputs: ['levels'], attributes: { axis: 1 } },
    { op: 'QuantizeLinear', inputs: ['levels', 'one', 'middle'], outputs: ['codes'] },
  ];
  return { constants, nodes };
}

/** The smallest of `about`, the product: those of the columns whose smallest are the smallest, {@link GROUP} members a column. */
function choicePart({ columns }: CodedMembers, candidates: number): OnnxPart {
  const width = columns / GROUP;
  const chosen = Math.min(candidates, width);
  const integers = (name: string, ...values: number[]): OnnxConstant => ({
    name,
    dims: [values.length],
    data: BigInt64Array.from(values, BigInt),
  });
  const constants = [
    integers('in_groups', -1, GROUP, width),
    integers('chosen', chosen),
    integers('each_column', -1, chosen, 1),
    integers('groups', ...Array.from({ length: GROUP }, (_, group) => group * width)),
    integers('their_members', -1, chosen * GROUP),
    integers('count', candidates),
  ];
  const smallest = { axis: 1, largest: 0, sorted: 0 };
  const nodes: OnnxNode[] = [
    { op: 'Reshape', inputs: ['about', 'in_groups'], outputs: ['grouped'] },
    { op: 'ReduceMin', inputs: ['grouped'], outputs: ['least'], attributes: { axes: [1], keepdims: 0 } },
    { op: 'TopK', inputs: ['least', 'chosen'], outputs: ['their_least', 'columns'], attributes: smallest },
    { op: 'Reshape', inputs: ['columns', 'each_column'], outputs: ['columns_each'] },
    { op: 'Add', inputs: ['columns_each', 'groups'], outputs: ['in_columns'] },
    { op: 'Reshape', inputs: ['in_columns', 'their_members'], outputs: ['likely'] },
    { op: 'GatherElements', inputs: ['about', 'likely'], outputs: ['likely_about'], attributes: { axis: 1 } },
    { op: 'TopK', inputs: ['likely_about', 'count'], outputs: ['best', 'best_places'], attributes: smallest },
    { op: 'GatherElements', inputs: ['likely', 'best_places'], outputs: ['candidates'], attributes: { axis: 1 } },
  ];
  return { constants, nodes };
}

/** Distances of the candidates in floats, weighted. */
function exactPart(input: string, { bank, weights }: PatchMemory): OnnxPart {
  const constants: OnnxConstant[] = [
    { name: 'bank', dims: [bank.rows, bank.columns], data: bank.data },
    { name: 'one_each', dims: [3], data: BigInt64Array.of(-1n, 1n, BigInt(bank.columns)) },
  ];
  const distances = weights ? 'plain' : 'distances';
  const nodes: OnnxNode[] = [
    { op: 'Gather', inputs: ['bank', 'candidates'], outputs: ['members'] },
    { op: 'Reshape', inputs: [input, 'one_each'], outputs: ['queries_each'] },
    { op: 'Sub', inputs: ['queries_each', 'members'], outputs: ['differences'] },
    { op: 'ReduceSumSquare', inputs: ['differences'], outputs: ['squares'], attributes: { axes: [2], keepdims: 0 } },
    { op: 'Sqrt', inputs: ['squares'], outputs: [distances] },
  ];
  if (weights) {
    constants.push({ name: 'weights', dims: [bank.rows], data: weights });
    nodes.push(
      { op: 'Gather', inputs: ['weights', 'candidates'], outputs: ['their_weights'] },
      { op: 'Mul', inputs: ['plain', 'their_weights'], outputs: ['distances'] },
    );
  }
  return { constants, nodes };
}

/**
 * Nearest neighbours among the memory's candidates: the product of 8-bit numbers, four times as fast as one of floats, finds those
 * that come into question, whose distances are then computed exactly. Whole numbers add up to the same on every
 * machine, and so do the candidates.
 * @param input name of the queries, [patches, dims]
 * @param neighbours as many as there are candidates, at most
 * @param output name of the result, [patches]: weighted Euclidean distance, averaged over the `neighbours` nearest
 */
export function nearestCandidatesPart(
  input: string,
  memory: PatchMemory & { readonly candidates: number },
  neighbours: number,
  output: string,
): OnnxPart {
  const members = codeMembers(memory);
  const coded = codePart(input, members);
  const choice = choicePart(members, memory.candidates);
  const exact = exactPart(input, memory);
  const constants: OnnxConstant[] = [
    { name: 'member_codes', dims: [memory.bank.columns + LENGTH_COLUMNS, members.columns], data: members.codes },
    { name: 'member_scales', dims: [members.columns], data: members.scales },
    { name: 'member_constants', dims: [members.columns], data: members.constants },
    { name: 'neighbours', dims: [1], data: BigInt64Array.of(BigInt(neighbours)) },
  ];
  const product = ['codes', 'member_codes', 'one', 'member_scales', 'middle', '', 'member_constants'];
  const nodes: OnnxNode[] = [
    { op: 'MatMulIntegerToFloat', domain: RUNTIME_DOMAIN, inputs: product, outputs: ['about'] },
    ...choice.nodes,
    ...exact.nodes,
    {
      op: 'TopK',
      inputs: ['distances', 'neighbours'],
      outputs: ['nearest', 'places'],
      attributes: { axis: 1, largest: 0 },
    },
    { op: 'ReduceMean', inputs: ['nearest'], outputs: [output], attributes: { axes: [1], keepdims: 0 } },
  ];
  return {
    constants: [...coded.constants, ...choice.constants, ...exact.constants, ...constants],
    nodes: [...coded.nodes, ...nodes],
  };
}
