import type { OnnxConstant, OnnxNode, OnnxPart } from '../onnx/onnx-model.ts';
import type { Matrix } from '../onnx/open-matrix-product.ts';

/**
 * Exact nearest neighbours as one graph: |q − b|² = |q|² + (|b|² − 2 q·b), the bracket in a single Gemm, reduced at once.
 * @param input name of the queries, [patches, dims]; @param bank [bank, dims]
 * @param output name of the result, [patches]: Euclidean distance, averaged over the `neighbours` nearest
 */
export function nearestNeighboursPart(input: string, bank: Matrix, neighbours: number, output: string): OnnxPart {
  const { rows, columns: dims, data } = bank;
  const transposed = new Float32Array(rows * dims);
  const squares = new Float32Array(rows);
  for (let row = 0; row < rows; row++) {
    let sum = 0;
    for (let d = 0; d < dims; d++) {
      const value = data[row * dims + d]!;
      transposed[d * rows + row] = value;
      sum += value * value;
    }
    squares[row] = sum;
  }
  const constants: OnnxConstant[] = [
    { name: 'bank', dims: [dims, rows], data: transposed },
    { name: 'bank_squares', dims: [rows], data: squares },
    { name: 'zero', dims: [1], data: Float32Array.of(0) },
  ];
  const near = Math.min(neighbours, rows);
  const nodes: OnnxNode[] = [
    { op: 'ReduceSumSquare', inputs: [input], outputs: ['query_squares'], attributes: { axes: [1], keepdims: 1 } },
    {
      op: 'Gemm',
      inputs: [input, 'bank', 'bank_squares'],
      outputs: ['partial'],
      attributes: { alpha: { float: -2 } },
    },
  ];
  if (near === 1)
    nodes.push({ op: 'ReduceMin', inputs: ['partial'], outputs: ['nearest'], attributes: { axes: [1], keepdims: 1 } });
  else {
    constants.push({ name: 'neighbours', dims: [1], data: BigInt64Array.of(BigInt(near)) });
    const attributes = { axis: 1, largest: 0, sorted: 1 };
    nodes.push({ op: 'TopK', inputs: ['partial', 'neighbours'], outputs: ['nearest', 'nearest_index'], attributes });
  }
  nodes.push(
    { op: 'Add', inputs: ['query_squares', 'nearest'], outputs: ['signed_squares'] },
    // Rounding may leave a distance of zero slightly negative.
    { op: 'Max', inputs: ['signed_squares', 'zero'], outputs: ['squares'] },
    { op: 'Sqrt', inputs: ['squares'], outputs: ['distances'] },
    { op: 'ReduceMean', inputs: ['distances'], outputs: [output], attributes: { axes: [1], keepdims: 0 } },
  );
  return { nodes, constants };
}
