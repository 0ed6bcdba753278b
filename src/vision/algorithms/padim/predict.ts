import { openPatchExtractor } from '../../backbone/patch-extractor.ts';
import { openTaughtPredictor } from '../../corrections/taught-model.ts';
import { isAnythingTaught } from '../../corrections/taught-patches.ts';
import type { BackboneFile, Predictor } from '../../types.ts';
import { channelSelection, decodePadim } from './codec.ts';
import { openGaussianMeasure } from './gaussian-scorer.ts';

/** @throws VisionError `invalid_model`, `invalid_backbone` */
export async function openPadim(payload: Uint8Array, backbone: BackboneFile): Promise<Predictor> {
  const state = decodePadim(payload);
  const measure = await openGaussianMeasure(state.grid, isAnythingTaught(state.taught));
  const selection = channelSelection(state.channels, state.allChannels);
  const extractor = await openPatchExtractor(backbone, state.layout, selection);
  return openTaughtPredictor(state, { extractor, measure });
}
