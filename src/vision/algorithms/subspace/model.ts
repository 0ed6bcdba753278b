import Type from 'typebox';
import type { InputLayout } from '../../backbone/input-layout.ts';
import { decodeCorrections, encodeCorrections } from '../../corrections/correction-patches.ts';
import {
  openPredictor,
  openRefinable,
  type PatchModel,
  type RefinableState,
} from '../../corrections/refinable-model.ts';
import { decodeContainer, encodeContainer } from '../../model-file/binary-container.ts';
import { COUNT, LAYOUT, readHeader, readMatrix, readVector, SMOOTHING } from '../../model-file/model-parts.ts';
import type { BackboneFile } from '../../types.ts';
import { openResidualMeasure, type Subspace } from './residual-scorer.ts';

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

/** @throws VisionError `invalid_model`, `invalid_backbone` */
export const openSubspace = (payload: Uint8Array, backbone: BackboneFile) =>
  openPredictor(patchModel(payload), backbone);

/** @throws VisionError `invalid_model`, `invalid_backbone` */
export const openRefinableSubspace = (payload: Uint8Array, backbone: BackboneFile, threads?: number) =>
  openRefinable(patchModel(payload), backbone, threads);
