import { Tensor } from 'onnxruntime-node';
import type { OnnxGraph } from '../onnx/onnx-model.ts';
import type { Matrix } from '../onnx/open-matrix-product.ts';
import { openSession } from '../onnx/open-session.ts';
import type { NearestNeighbours } from './open-nearest-neighbours.ts';

/** w²·|q − p|² = w²·|q|² + (w²·|p|² − 2 q·(w² p)): two matrix products, the second one thin. */
function weightedGraph({ rows, columns, data }: Matrix, weights: Float32Array): OnnxGraph {
  const scaled = new Float32Array(rows * columns);
  const squares = new Float32Array(rows);
  for (let row = 0; row < rows; row++) {
    const factor = weights[row]! ** 2;
    let sum = 0;
    for (let d = 0; d < columns; d++) {
      const value = data[row * columns + d]!;
      scaled[d * rows + row] = factor * value;
      sum += value * value;
    }
    squares[row] = factor * sum;
  }
  return {
    inputs: [{ name: 'queries', dims: ['queries', columns] }],
    outputs: [{ name: 'result', dims: ['queries'] }],
    constants: [
      { name: 'points', dims: [columns, rows], data: scaled },
      { name: 'point_squares', dims: [rows], data: squares },
      { name: 'factors', dims: [1, rows], data: weights.map((weight) => weight ** 2) },
      { name: 'zero', dims: [1], data: Float32Array.of(0) },
    ],
    nodes: [
      {
        op: 'ReduceSumSquare',
        inputs: ['queries'],
        outputs: ['query_squares'],
        attributes: { axes: [1], keepdims: 1 },
      },
      { op: 'MatMul', inputs: ['query_squares', 'factors'], outputs: ['whole'] },
      {
        op: 'Gemm',
        inputs: ['queries', 'points', 'point_squares'],
        outputs: ['partial'],
        attributes: { alpha: { float: -2 } },
      },
      { op: 'Add', inputs: ['whole', 'partial'], outputs: ['signed_squares'] },
      // Rounding may leave a distance of zero slightly negative.
      { op: 'Max', inputs: ['signed_squares', 'zero'], outputs: ['squares'] },
      { op: 'ReduceMin', inputs: ['squares'], outputs: ['nearest'], attributes: { axes: [1], keepdims: 0 } },
      { op: 'Sqrt', inputs: ['nearest'], outputs: ['result'] },
    ],
  };
}

/** For each query the smallest weight · Euclidean distance over `points` [points, dims], at least one. */
export async function openWeightedNearest(
  points: Matrix,
  weights: Float32Array,
  threads = 1,
): Promise<NearestNeighbours> {
  const session = await openSession(weightedGraph(points, weights), threads);
  return {
    async distances(queries) {
      const tensor = new Tensor('float32', queries.data, [queries.rows, queries.columns]);
      const { result } = await session.run({ queries: tensor });
      return result?.data as Float32Array;
    },
    dispose: () => session.release(),
  };
}
