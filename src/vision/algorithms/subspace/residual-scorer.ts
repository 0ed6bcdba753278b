import { type MapScorer, type PatchMeasure, smoothedScorer } from '../../anomaly-map/map-scorer.ts';
import type { Matrix } from '../../math/matrix.ts';
import { transposed } from '../../math/transposed.ts';
import { GraphBuilder } from '../../onnx/graph-builder.ts';
import { matrixTensor } from '../../onnx/open-matrix-product.ts';
import { openSession } from '../../onnx/open-session.ts';

/** An affine subspace: `mean` [dims] and orthonormal `axes` [dims, axes]. */
export interface Subspace {
  readonly mean: Float32Array;
  readonly axes: Matrix;
}

const ROW_SQUARES = { axes: [1], keepdims: 0 };

/** |x − m|² − |Vᵀ(x − m)|² for all patches in one matrix product; with features also (x − m) − V·Vᵀ(x − m). */
function residualGraph({ mean, axes }: Subspace, withFeatures: boolean): Uint8Array {
  const graph = new GraphBuilder();
  const patches = graph.input('patches', ['patches', axes.rows]);
  const centred = graph.add('Sub', [patches, graph.constant(mean)]);
  const inside = graph.add('MatMul', [centred, graph.constant(axes.data, [axes.rows, axes.columns])]);
  const squares = graph.add('Sub', [
    graph.add('ReduceSumSquare', [centred], ROW_SQUARES),
    graph.add('ReduceSumSquare', [inside], ROW_SQUARES),
  ]);
  // Rounding may leave a patch inside the subspace slightly negative.
  const positive = graph.add('Max', [squares, graph.constant(Float32Array.of(0))]);
  graph.output('residuals', graph.add('Sqrt', [positive]));
  if (withFeatures) {
    const back = graph.constant(transposed(axes).data, [axes.columns, axes.rows]);
    graph.output('rest', graph.add('Sub', [centred, graph.add('MatMul', [inside, back])]));
  }
  return graph.encode();
}

/**
 * Distances from the subspace. What patches are compared by is what sticks out of it, so that harmless differences do
 * not count there either.
 * @param withFeatures whether anybody asks what patches are compared by
 */
export async function openResidualMeasure(
  subspace: Subspace,
  withFeatures: boolean,
  threads = 1,
): Promise<PatchMeasure> {
  const session = await openSession(residualGraph(subspace, withFeatures), threads);
  const dims = subspace.axes.rows;
  return {
    async measure({ rows, columns, patches }) {
      const { residuals, rest } = await session.run({ patches: matrixTensor(patches) });
      const data = (rest?.data ?? new Float32Array()) as Float32Array;
      const features = { rows: data.length / dims, columns: dims, data };
      return { rows, columns, features, distances: residuals?.data as Float32Array };
    },
    dispose: () => session.release(),
  };
}

/**
 * Scores patches by their distance from the subspace.
 * @param smoothing standard deviation of the map's blur, in cells
 */
export const openResidualScorer = async (subspace: Subspace, smoothing: number, threads = 1): Promise<MapScorer> =>
  smoothedScorer(await openResidualMeasure(subspace, false, threads), smoothing);
