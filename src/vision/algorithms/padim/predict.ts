import { openGaussianMeasure } from '../../components/gaussian-scorer.ts';
import { isAnythingTaught } from '../../components/taught-patches.ts';
import { openPatchExtractor } from '../../features/patch-extractor.ts';
import type { BackboneFile, Predictor } from '../../types.ts';
import { openTaughtPredictor } from '../taught-model.ts';
import { channelSelection, decodePadim } from './codec.ts';

/** @throws VisionError `invalid_model`, `invalid_backbone` */
export async function openPadim(payload: Uint8Array, backbone: BackboneFile): Promise<Predictor> {
  const state = decodePadim(payload);
  const measure = await openGaussianMeasure(state.grid, isAnythingTaught(state.taught));
  const selection = channelSelection(state.channels, state.allChannels);
  const extractor = await openPatchExtractor(backbone, state.layout, selection);
  return openTaughtPredictor(state, { extractor, measure });
}
