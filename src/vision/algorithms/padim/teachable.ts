import { openPatchExtractor } from '../../backbone/patch-extractor.ts';
import { teachableModel } from '../../corrections/taught-model.ts';
import type { TeachableModel } from '../../corrections/teachable-model.ts';
import type { BackboneFile, ParameterValues } from '../../types.ts';
import { channelSelection, decodePadim, encodePadim } from './codec.ts';
import { openGaussianMeasure } from './gaussian-scorer.ts';

/** @throws VisionError `invalid_model`, `invalid_backbone` */
export async function openTeachablePadim(
  payload: Uint8Array,
  backbone: BackboneFile,
  _params: ParameterValues,
  threads = 1,
): Promise<TeachableModel> {
  const state = decodePadim(payload);
  const measure = await openGaussianMeasure(state.grid, true, threads);
  const selection = channelSelection(state.channels, state.allChannels);
  const extractor = await openPatchExtractor(backbone, state.layout, selection, threads);
  const encode: TeachableModel['encode'] = (taught) => encodePadim({ ...state, taught });
  return teachableModel(state, { extractor, measure }, { leavesOut: false, encode });
}
