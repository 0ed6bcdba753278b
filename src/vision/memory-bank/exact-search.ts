import { GraphBuilder } from '../onnx/graph-builder.ts';
import type { PatchMemory, SearchGraph } from './patch-memory.ts';

/** A squared length so large that the member is never the nearest. No NaN comes of it. */
const FAR = 1e30;

/**
 * Exact nearest neighbours in one graph: w²·|q − b|² = (q, |q|²) · (−2w²·b, w²) + w²·|b|², a single Gemm, reduced at
 * once. The result is the weighted Euclidean distance, averaged over the `neighbours` nearest members.
 */
export function exactSearchGraph({ bank, weights }: PatchMemory, neighbours: number): SearchGraph {
  const { rows, columns: dims, data } = bank;
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
  const graph = new GraphBuilder();
  const queries = graph.input('queries', ['queries', dims]);
  const members = graph.input('members', [rows]);
  const querySquares = graph.add('ReduceSumSquare', [queries], { axes: [1], keepdims: 1 });
  const extended = graph.add('Concat', [queries, querySquares], { axis: 1 });
  const all = graph.add('Gemm', [extended, graph.constant(factors, [dims + 1, rows]), members]);
  const near = Math.min(neighbours, rows);
  const nearest =
    near === 1
      ? graph.add('ReduceMin', [all], { axes: [1], keepdims: 1 })
      : graph.addSplit('TopK', [all, graph.integers(near)], 2, { axis: 1, largest: 0, sorted: 1 })[0];
  // Rounding may leave a distance of zero slightly negative.
  const positive = graph.add('Max', [nearest, graph.constant(Float32Array.of(0))]);
  graph.output('distances', graph.add('ReduceMean', [graph.add('Sqrt', [positive])], { axes: [1], keepdims: 0 }));
  return { model: graph.encode(), members: squares, far: FAR };
}
