import { openPatchExtractor } from '../../backbone/patch-extractor.ts';
import { teachableModel } from '../../corrections/taught-model.ts';
import type { TeachableModel } from '../../corrections/teachable-model.ts';
import type { BackboneFile, ParameterValues } from '../../types.ts';
import { openClassifierMeasure } from './classifier-measure.ts';
import { decodeDefectClassifier, encodeDefectClassifier } from './codec.ts';

/** @throws VisionError `invalid_model`, `invalid_backbone` */
export async function openTeachableClassifier(
  payload: Uint8Array,
  backbone: BackboneFile,
  _params: ParameterValues,
  threads = 1,
): Promise<TeachableModel> {
  const state = decodeDefectClassifier(payload);
  const measure = await openClassifierMeasure(state, threads);
  const extractor = await openPatchExtractor(backbone, state.layout, state.projection, threads);
  const encode: TeachableModel['encode'] = (taught) => encodeDefectClassifier({ ...state, taught });
  // The network has learned from all images, and cannot forget one.
  return teachableModel(state, { extractor, measure }, { leavesOut: state.weight === 0, encode });
}
