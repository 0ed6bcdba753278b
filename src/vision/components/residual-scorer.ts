import { Tensor } from 'onnxruntime-node';
import type { PatchFeatures } from '../features/patch-extractor.ts';
import { gaussianBlur } from '../math/gaussian-blur.ts';
import type { OnnxGraph } from '../onnx/onnx-model.ts';
import type { Matrix } from '../onnx/open-matrix-product.ts';
import { openSession } from '../onnx/open-session.ts';
import type { MapScorer } from './map-scorer.ts';

/** An affine subspace: `mean` [dims] and orthonormal `axes` [dims, axes]. */
export interface Subspace {
  readonly mean: Float32Array;
  readonly axes: Matrix;
}

/** |x − m|² − |Vᵀ(x − m)|² for all patches in one matrix product. */
function residualGraph({ mean, axes }: Subspace): OnnxGraph {
  return {
    inputs: [{ name: 'patches', dims: ['patches', axes.rows] }],
    outputs: [{ name: 'residuals', dims: ['patches'] }],
    constants: [
      { name: 'mean', dims: [axes.rows], data: mean },
      { name: 'axes', dims: [axes.rows, axes.columns], data: axes.data },
      { name: 'zero', dims: [1], data: Float32Array.of(0) },
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
    ],
  };
}

/**
 * Scores patches by their distance from the subspace.
 * @param smoothing standard deviation of the map's blur, in cells
 */
export async function openResidualScorer(subspace: Subspace, smoothing: number, threads = 1): Promise<MapScorer> {
  const session = await openSession(residualGraph(subspace), threads);
  return {
    async score({ rows, columns, patches }: PatchFeatures) {
      const tensor = new Tensor('float32', patches.data, [patches.rows, patches.columns]);
      const { residuals } = await session.run({ patches: tensor });
      return gaussianBlur({ rows, columns, data: residuals?.data as Float32Array }, smoothing);
    },
    dispose: () => session.release(),
  };
}
