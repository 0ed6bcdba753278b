import { openPatchExtractor } from '../../backbone/patch-extractor.ts';
import { openTaughtPredictor } from '../../corrections/taught-model.ts';
import { isAnythingTaught } from '../../corrections/taught-patches.ts';
import type { BackboneFile, Predictor } from '../../types.ts';
import { decodeSubspace } from './codec.ts';
import { openResidualMeasure } from './residual-scorer.ts';

/** @throws VisionError `invalid_model`, `invalid_backbone` */
export async function openSubspace(payload: Uint8Array, backbone: BackboneFile): Promise<Predictor> {
  const state = decodeSubspace(payload);
  const measure = await openResidualMeasure(state, isAnythingTaught(state.taught));
  const extractor = await openPatchExtractor(backbone, state.layout);
  return openTaughtPredictor(state, { extractor, measure });
}
