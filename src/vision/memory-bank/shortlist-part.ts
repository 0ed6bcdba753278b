import {
  integerConstant,
  type OnnxConstant,
  type OnnxNode,
  type OnnxPart,
  RUNTIME_DOMAIN,
} from '../onnx/onnx-model.ts';
import type { PatchMemory } from './nearest-neighbours-part.ts';

const QUERY_STEPS = 127;
/** Seven bits: processors without VNNI add two products of bytes in 16 bits, which must not overflow. */
const MEMBER_STEPS = 63;
/** A query's squared length is spread over four columns; one column of 8 bits would be too coarse. */
const LENGTH_COLUMNS = 4;
/** Squared lengths up to so many times the largest member's are told apart; farther queries are far in any case. */
const LENGTH_REACH = 2;

/** Members are compared in groups first: the least of 16 is found much faster than the first of 16 ranks. */
const GROUP = 16;
/** The constant part of each member's distance, [members]; with `far` a member is listed after all others. */
export const MEMBER_CONSTANTS = { name: 'member_constants', far: 3e38 };

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
  /** A multiple of {@link GROUP}; the last columns may be padding, far from everything. */
  readonly columns: number;
  /** [axes + LENGTH_COLUMNS, columns] */
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

/** w²·|q − b|² = w²·|q|² − 2w²·q·b + w²·|b|² around the members' mean, one scale a member; q·b over the first axes. */
function codeMembers(memory: PatchMemory, axes: number): CodedMembers {
  const { rows, columns: dims, data } = memory.bank;
  const columns = GROUP * Math.ceil(rows / GROUP);
  const centre = centreOf(memory);
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
  const constants = new Float32Array(columns).fill(MEMBER_CONSTANTS.far);
  for (let row = 0; row < rows; row++) {
    const square = (memory.weights?.[row] ?? 1) ** 2;
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

/** Queries in whole numbers around 128: their coordinates, and their squared length in quarter steps of a column. */
function codePart(input: string, members: CodedMembers, axes: number): OnnxPart {
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
    integerConstant('no_axis', 0),
    integerConstant('axes', axes),
    integerConstant('along_rows', 1),
    { name: 'one', dims: [], data: Float32Array.of(1) },
    { name: 'middle', dims: [], data: Uint8Array.of(128) },
  ];
  const nodes: OnnxNode[] = [
    { op: 'Sub', inputs: [input, 'centre'], outputs: ['centred'] },
    { op: 'Slice', inputs: ['centred', 'no_axis', 'axes', 'along_rows'], outputs: ['strongest'] },
    { op: 'Mul', inputs: ['strongest', 'per_step'], outputs: ['coordinates'] },
    { op: 'ReduceSumSquare', inputs: ['centred'], outputs: ['squared'], attributes: { axes: [1], keepdims: 1 } },
    { op: 'Mul', inputs: ['squared', 'per_column'], outputs: ['length'] },
    { op: 'Add', inputs: ['length', 'offsets'], outputs: ['lengths'] },
    { op: 'Concat', inputs: ['coordinates', 'lengths'], outputs: ['levels'], attributes: { axis: 1 } },
    { op: 'QuantizeLinear', inputs: ['levels', 'one', 'middle'], outputs: ['codes'] },
  ];
  return { constants, nodes };
}

/** The members with the smallest `about`: the columns of {@link GROUP} members with the smallest minimum, then the members. */
function smallestPart({ columns }: CodedMembers, count: number, output: string): OnnxPart {
  const width = columns / GROUP;
  const chosen = Math.min(count, width);
  const constants = [
    integerConstant('in_groups', -1, GROUP, width),
    integerConstant('chosen', chosen),
    integerConstant('each_column', -1, chosen, 1),
    integerConstant('groups', ...Array.from({ length: GROUP }, (_, group) => group * width)),
    integerConstant('their_members', -1, chosen * GROUP),
    integerConstant('count', count),
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
    { op: 'GatherElements', inputs: ['likely', 'best_places'], outputs: [output], attributes: { axis: 1 } },
  ];
  return { constants, nodes };
}

/**
 * The members nearest to each query by numbers of 8 bits, four times as fast as by floats. Whole numbers add up to the
 * same on every machine, so that the shortlist is the same everywhere.
 * @param input name of the queries, [queries, dims]
 * @param count members for each query
 * @param output name of their indices, [queries, count], in no order
 * @param axes the first dims, which tell members apart; the strongest ones where dims are principal axes
 */
export function shortlistPart(
  input: string,
  memory: PatchMemory,
  count: number,
  output: string,
  axes: number,
): OnnxPart {
  const members = codeMembers(memory, axes);
  const coded = codePart(input, members, axes);
  const smallest = smallestPart(members, count, output);
  const constants: OnnxConstant[] = [
    { name: 'member_codes', dims: [axes + LENGTH_COLUMNS, members.columns], data: members.codes },
    { name: 'member_scales', dims: [members.columns], data: members.scales },
    { name: MEMBER_CONSTANTS.name, dims: [members.columns], data: members.constants },
  ];
  const product = ['codes', 'member_codes', 'one', 'member_scales', 'middle', '', MEMBER_CONSTANTS.name];
  return {
    constants: [...coded.constants, ...smallest.constants, ...constants],
    nodes: [
      ...coded.nodes,
      { op: 'MatMulIntegerToFloat', domain: RUNTIME_DOMAIN, inputs: product, outputs: ['about'] },
      ...smallest.nodes,
    ],
  };
}
