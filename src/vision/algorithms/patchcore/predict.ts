import { openBankMeasure } from '../../components/bank-measure.ts';
import { openPatchExtractor } from '../../features/patch-extractor.ts';
import type { BackboneFile, Predictor } from '../../types.ts';
import { openTaughtPredictor } from '../taught-model.ts';
import { decodePatchcore } from './codec.ts';

/** @throws VisionError `invalid_model`, `invalid_backbone` */
export async function openPatchcore(payload: Uint8Array, backbone: BackboneFile): Promise<Predictor> {
  const state = decodePatchcore(payload);
  const measure = await openBankMeasure(state, state.neighbours);
  const extractor = await openPatchExtractor(backbone, state.layout, state.projection);
  return openTaughtPredictor(state, { extractor, measure });
}
