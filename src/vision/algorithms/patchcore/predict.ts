import { openPatchExtractor } from '../../backbone/patch-extractor.ts';
import { openTaughtPredictor } from '../../corrections/taught-model.ts';
import { openBankMeasure } from '../../memory-bank/bank-measure.ts';
import type { BackboneFile, Predictor } from '../../types.ts';
import { decodePatchcore } from './codec.ts';

/** @throws VisionError `invalid_model`, `invalid_backbone` */
export async function openPatchcore(payload: Uint8Array, backbone: BackboneFile): Promise<Predictor> {
  const state = decodePatchcore(payload);
  const measure = await openBankMeasure(state, state.neighbours);
  const extractor = await openPatchExtractor(backbone, state.layout, state.projection);
  return openTaughtPredictor(state, { extractor, measure });
}
