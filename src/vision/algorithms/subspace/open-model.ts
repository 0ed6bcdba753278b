import { openPatchExtractor } from '../../backbone/patch-extractor.ts';
import { hasCorrections } from '../../corrections/correction-patches.ts';
import { openPredictor, type RefinableModel, refinableModel } from '../../corrections/refinable-model.ts';
import type { BackboneFile, Predictor } from '../../types.ts';
import { decodeSubspace, encodeSubspace, type SubspaceState } from './codec.ts';
import { openResidualMeasure } from './residual-scorer.ts';

/** @param withFeatures whether `measure` also gives what patches are compared by */
async function openState(
  state: SubspaceState,
  backbone: BackboneFile,
  withFeatures: boolean,
  threads?: number,
): Promise<RefinableModel> {
  const measure = await openResidualMeasure(state, withFeatures, threads);
  const extractor = await openPatchExtractor(backbone, state.layout, undefined, threads);
  return refinableModel(extractor, measure, {
    ...state,
    canHoldOut: false,
    encode: (corrections) => encodeSubspace({ ...state, corrections }),
  });
}

/** @throws VisionError `invalid_model`, `invalid_backbone` */
export async function openRefinableSubspace(
  payload: Uint8Array,
  backbone: BackboneFile,
  threads?: number,
): Promise<RefinableModel> {
  return openState(decodeSubspace(payload), backbone, true, threads);
}

/** @throws VisionError `invalid_model`, `invalid_backbone` */
export async function openSubspace(payload: Uint8Array, backbone: BackboneFile): Promise<Predictor> {
  const state = decodeSubspace(payload);
  return openPredictor(await openState(state, backbone, hasCorrections(state.corrections)));
}
