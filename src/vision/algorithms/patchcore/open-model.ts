import { openPatchExtractor } from '../../backbone/patch-extractor.ts';
import { openPredictor, type RefinableModel, refinableModel } from '../../corrections/refinable-model.ts';
import { openBankMeasure } from '../../memory-bank/bank-measure.ts';
import type { BackboneFile, Predictor } from '../../types.ts';
import { decodePatchcore, encodePatchcore } from './codec.ts';

/** @throws VisionError `invalid_model`, `invalid_backbone` */
export async function openRefinablePatchcore(
  payload: Uint8Array,
  backbone: BackboneFile,
  threads = 1,
): Promise<RefinableModel> {
  const state = decodePatchcore(payload);
  const measure = await openBankMeasure(state, state.neighbours, threads);
  const extractor = await openPatchExtractor(backbone, state.layout, state.projection, threads);
  return refinableModel(extractor, measure, {
    ...state,
    canHoldOut: true,
    encode: (corrections) => encodePatchcore({ ...state, corrections }),
  });
}

/** @throws VisionError `invalid_model`, `invalid_backbone` */
export async function openPatchcore(payload: Uint8Array, backbone: BackboneFile): Promise<Predictor> {
  return openPredictor(await openRefinablePatchcore(payload, backbone));
}
