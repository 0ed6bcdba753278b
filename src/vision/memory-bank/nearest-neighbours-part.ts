import type { Matrix } from '../math/matrix.ts';
import type { OnnxConstant, OnnxNode, OnnxPart } from '../onnx/onnx-model.ts';

/** A memory bank: what patches are compared with. */
export interface PatchMemory {
  /** [members, dims] */
  readonly bank: Matrix;
  /** What the distance from each member is multiplied by; absent: 1. [members] */
  readonly weights?: Float32Array | undefined;
  /** Members that a block of patches is compared with, found by 8-bit numbers; absent: with all of them. */
  readonly shortlist?: number | undefined;
}

/** The constant of the members' weighted squared lengths, [members]: a member of length `far` is never the nearest, and no NaN comes of it. */
export const LENGTHS = { name: 'bank_squares', far: 1e30 };

/**
 * Exact nearest neighbours as one graph: w²·|q − b|² = (q, |q|²) · (−2w²·b, w²) + w²·|b|², a single Gemm, reduced at once.
 * @param input name of the queries, [patches, dims]
 * @param output name of the result, [patches]: weighted Euclidean distance, averaged over the `neighbours` nearest
 */
export function nearestNeighboursPart(
  input: string,
  { bank: { rows, columns: dims, data }, weights }: PatchMemory,
  neighbours: number,
  output: string,
): OnnxPart {
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
  const constants: OnnxConstant[] = [
    { name: 'bank', dims: [dims + 1, rows], data: factors },
    { name: LENGTHS.name, dims: [rows], data: squares },
    { name: 'zero', dims: [1], data: Float32Array.of(0) },
  ];
  const near = Math.min(neighbours, rows);
  const nodes: OnnxNode[] = [
    { op: 'ReduceSumSquare', inputs: [input], outputs: ['query_squares'], attributes: { axes: [1], keepdims: 1 } },
    { op: 'Concat', inputs: [input, 'query_squares'], outputs: ['extended'], attributes: { axis: 1 } },
    { op: 'Gemm', inputs: ['extended', 'bank', LENGTHS.name], outputs: ['all'] },
  ];
  if (near === 1)
    nodes.push({ op: 'ReduceMin', inputs: ['all'], outputs: ['nearest'], attributes: { axes: [1], keepdims: 1 } });
  else {
    constants.push({ name: 'neighbours', dims: [1], data: BigInt64Array.of(BigInt(near)) });
    const attributes = { axis: 1, largest: 0, sorted: 1 };
    nodes.push({ op: 'TopK', inputs: ['all', 'neighbours'], outputs: ['nearest', 'nearest_index'], attributes });
  }
  nodes.push(
    // Rounding may leave a distance of zero slightly negative.
    { op: 'Max', inputs: ['nearest', 'zero'], outputs: ['squares'] },
    { op: 'Sqrt', inputs: ['squares'], outputs: ['distances'] },
    { op: 'ReduceMean', inputs: ['distances'], outputs: [output], attributes: { axes: [1], keepdims: 0 } },
  );
  return { nodes, constants };
}
