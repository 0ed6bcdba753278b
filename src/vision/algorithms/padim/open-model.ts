import { openPatchExtractor } from '../../backbone/patch-extractor.ts';
import { hasCorrections } from '../../corrections/correction-patches.ts';
import { openPredictor, type RefinableModel, refinableModel } from '../../corrections/refinable-model.ts';
import type { BackboneFile, Predictor } from '../../types.ts';
import { channelSelection, decodePadim, encodePadim, type PadimState } from './codec.ts';
import { openGaussianMeasure } from './gaussian-scorer.ts';

/** @param withFeatures whether `measure` also gives what patches are compared by */
async function openState(
  state: PadimState,
  backbone: BackboneFile,
  withFeatures: boolean,
  threads?: number,
): Promise<RefinableModel> {
  const measure = await openGaussianMeasure(state.grid, withFeatures, threads);
  const selection = channelSelection(state.channels, state.allChannels);
  const extractor = await openPatchExtractor(backbone, state.layout, selection, threads);
  return refinableModel(extractor, measure, {
    ...state,
    canHoldOut: false,
    encode: (corrections) => encodePadim({ ...state, corrections }),
  });
}

/** @throws VisionError `invalid_model`, `invalid_backbone` */
export async function openRefinablePadim(
  payload: Uint8Array,
  backbone: BackboneFile,
  threads?: number,
): Promise<RefinableModel> {
  return openState(decodePadim(payload), backbone, true, threads);
}

/** @throws VisionError `invalid_model`, `invalid_backbone` */
export async function openPadim(payload: Uint8Array, backbone: BackboneFile): Promise<Predictor> {
  const state = decodePadim(payload);
  return openPredictor(await openState(state, backbone, hasCorrections(state.corrections)));
}
