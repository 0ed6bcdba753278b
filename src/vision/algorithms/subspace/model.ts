import Type from 'typebox';
import type { PatchMeasure } from '../../anomaly-map/map-scorer.ts';
import type { InputLayout } from '../../backbone/input-layout.ts';
import { decodeCorrections, encodeCorrections } from '../../corrections/correction-patches.ts';
import { openersOf, type PatchModel, type RefinableState } from '../../corrections/refinable-model.ts';
import { type Matrix, transposed } from '../../math/matrix.ts';
import { decodeContainer, encodeContainer } from '../../model-file/binary-container.ts';
import { COUNT, LAYOUT, readHeader, readMatrix, readVector, SMOOTHING } from '../../model-file/model-parts.ts';
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

/** All that a trained subspace model needs beside its network. */
export interface SubspaceState extends Subspace, RefinableState {
  readonly layout: InputLayout;
}

const MAGIC = 'KNSSUBSP';
const HEADER = Type.Object({ layout: LAYOUT, smoothing: SMOOTHING, dims: COUNT, axes: COUNT });

export function encodeSubspace({ layout, smoothing, mean, axes, corrections }: SubspaceState): Uint8Array {
  const part = encodeCorrections(corrections);
  return encodeContainer(MAGIC, {
    header: { layout, smoothing, dims: axes.rows, axes: axes.columns, ...part.header },
    arrays: { mean, axes: axes.data, ...part.arrays },
  });
}

/** @throws VisionError `invalid_model` */
export function decodeSubspace(bytes: Uint8Array): SubspaceState {
  const content = decodeContainer(MAGIC, bytes);
  const { layout, smoothing, dims, axes } = readHeader(HEADER, content);
  return {
    layout,
    smoothing,
    mean: readVector(content, 'mean', dims),
    axes: readMatrix(content, 'axes', dims, axes),
    corrections: decodeCorrections(content, dims),
  };
}

function patchModel(payload: Uint8Array): PatchModel {
  const state = decodeSubspace(payload);
  return {
    ...state,
    canHoldOut: false,
    openMeasure: (withFeatures, threads) => openResidualMeasure(state, withFeatures, threads),
    encode: (corrections) => encodeSubspace({ ...state, corrections }),
  };
}

export const { open, openRefinable } = openersOf(patchModel);
