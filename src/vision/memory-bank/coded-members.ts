import type { Matrix } from '../math/matrix.ts';
import type { PatchMemory } from './patch-memory.ts';

const QUERY_STEPS = 127;
/** Seven bits: processors without VNNI add two products of bytes in 16 bits, which must not overflow. */
const MEMBER_STEPS = 63;
/** A query's squared length is spread over four columns; one column of 8 bits would be too coarse. */
export const LENGTH_COLUMNS = 4;
/** Squared lengths up to so many times the largest member's are told apart; farther queries are far in any case. */
const LENGTH_REACH = 2;
/** The byte that stands for 0 in a query. */
export const QUERY_MIDDLE = Uint8Array.of(128);

/** Members in whole numbers, as the right factor of a product with queries in whole numbers. */
export interface CodedMembers {
  /** [dims] */
  readonly centre: Float32Array;
  /** Of a query's coordinate. */
  readonly step: number;
  /** Squared length of a query in the middle of the range. */
  readonly middle: number;
  /** Squared length that one step in one of the columns stands for. */
  readonly lengthStep: number;
  /** The last columns may be padding, far from everything. */
  readonly columns: number;
  /** [axes + LENGTH_COLUMNS, columns] */
  readonly codes: Int8Array;
  /** [columns] */
  readonly scales: Float32Array;
  /** The constant part of each member's distance. [columns] */
  readonly constants: Float32Array;
}

function centreOf({ rows, columns, data }: Matrix): Float32Array {
  const sums = new Float64Array(columns);
  for (let row = 0; row < rows; row++) for (let d = 0; d < columns; d++) sums[d]! += data[row * columns + d]! / rows;
  return Float32Array.from(sums);
}

const largest = (values: Float64Array, least: number): number => values.reduce((a, b) => Math.max(a, b), least);

/**
 * w²·|q − b|² = w²·|q|² − 2w²·q·b + w²·|b|² around the members' mean, one scale a member.
 * @param axes q·b is taken over the first dims alone, which are the strongest where dims are principal axes
 * @param group the number of columns is a multiple of it
 * @param far constant part of the distance of padding
 */
export function codeMembers({ bank, weights }: PatchMemory, axes: number, group: number, far: number): CodedMembers {
  const { rows, columns: dims, data } = bank;
  const columns = group * Math.ceil(rows / group);
  const centre = centreOf(bank);
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
  const constants = new Float32Array(columns).fill(far);
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

/** What a query's squared length is multiplied by, and what is then added in each of its columns. */
export function queryOffsets({ middle, lengthStep }: CodedMembers) {
  const perColumn = 1 / (LENGTH_COLUMNS * lengthStep);
  const offsets = Float32Array.from(
    { length: LENGTH_COLUMNS },
    (_, column) => (column + 0.5) / LENGTH_COLUMNS - 0.5 - middle * perColumn,
  );
  return { perColumn, offsets };
}
