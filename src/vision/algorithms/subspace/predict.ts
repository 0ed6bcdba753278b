import { openResidualMeasure } from '../../components/residual-scorer.ts';
import { isAnythingTaught } from '../../components/taught-patches.ts';
import { openPatchExtractor } from '../../features/patch-extractor.ts';
import type { BackboneFile, Predictor } from '../../types.ts';
import { openTaughtPredictor } from '../taught-model.ts';
import { decodeSubspace } from './codec.ts';

/** @throws VisionError `invalid_model`, `invalid_backbone` */
export async function openSubspace(payload: Uint8Array, backbone: BackboneFile): Promise<Predictor> {
  const state = decodeSubspace(payload);
  const measure = await openResidualMeasure(state, isAnythingTaught(state.taught));
  const extractor = await openPatchExtractor(backbone, state.layout);
  return openTaughtPredictor(state, { extractor, measure });
}
