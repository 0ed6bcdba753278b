import { Tensor } from 'onnxruntime-node';
import type { MapScorer } from '../../anomaly-map/map-scorer.ts';
import { type PatchMeasure, smoothedScorer } from '../../anomaly-map/patch-measure.ts';
import type { Matrix } from '../../math/matrix.ts';
import type { OnnxGraph } from '../../onnx/onnx-model.ts';
import { openSession } from '../../onnx/open-session.ts';

/** An affine subspace: `mean` [dims] and orthonormal `axes` [dims, axes]. */
export interface Subspace {
  readonly mean: Float32Array;
  readonly axes: Matrix;
}

/** |x − m|² − |Vᵀ(x − m)|² for all patches in one matrix product; with features also (x − m) − V·Vᵀ(x − m). */
function residualGraph({ mean, axes }: Subspace, withFeatures: boolean): OnnxGraph {
  const features = withFeatures ? featuresPart(axes) : { outputs: [], constants: [], nodes: [] };
  return {
    inputs: [{ name: 'patches', dims: ['patches', axes.rows] }],
    outputs: [{ name: 'residuals', dims: ['patches'] }, ...features.outputs],
    constants: [
      { name: 'mean', dims: [axes.rows], data: mean },
      { name: 'axes', dims: [axes.rows, axes.columns], data: axes.data },
      { name: 'zero', dims: [1], data: Float32Array.of(0) },
      ...features.constants,
    ],
    nodes: [
      { op: 'Sub', inputs: ['patches', 'mean'], outputs: ['centred'] },
      { op: 'MatMul', inputs: ['centred', 'axes'], outputs: ['inside'] },
      { op: 'ReduceSumSquare', inputs: ['centred'], outputs: ['whole'], attributes: { axes: [1], keepdims: 0 } },
      { op: 'ReduceSumSquare', inputs: ['inside'], outputs: ['explained'], attributes: { axes: [1], keepdims: 0 } },
      { op: 'Sub', inputs: ['whole', 'explained'], outputs: ['signed_squares'] },
      // Rounding may leave a patch inside the subspace slightly negative.
      { op: 'Max', inputs: ['signed_squares', 'zero'], outputs: ['squares'] },
      { op: 'Sqrt', inputs: ['squares'], outputs: ['residuals'] },
      ...features.nodes,
    ],
  };
}

function featuresPart({ rows, columns, data }: Matrix): Pick<OnnxGraph, 'outputs' | 'constants' | 'nodes'> {
  const turned = Float32Array.from(data, (_, i) => data[(i % rows) * columns + Math.floor(i / rows)]!);
  return {
    outputs: [{ name: 'rest', dims: ['patches', rows] }],
    constants: [{ name: 'axes_turned', dims: [columns, rows], data: turned }],
    nodes: [
      { op: 'MatMul', inputs: ['inside', 'axes_turned'], outputs: ['known'] },
      { op: 'Sub', inputs: ['centred', 'known'], outputs: ['rest'] },
    ],
  };
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
      const tensor = new Tensor('float32', patches.data, [patches.rows, patches.columns]);
      const { residuals, rest } = await session.run({ patches: tensor });
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
