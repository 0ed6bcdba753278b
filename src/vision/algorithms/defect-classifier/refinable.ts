import { openPatchExtractor } from '../../backbone/patch-extractor.ts';
import { type RefinableModel, refinableModel } from '../../corrections/refinable-model.ts';

import type { BackboneFile } from '../../types.ts';
import { openClassifierMeasure } from './classifier-measure.ts';
import { decodeDefectClassifier, encodeDefectClassifier } from './codec.ts';

/** @throws VisionError `invalid_model`, `invalid_backbone` */
export async function openRefinableClassifier(
  payload: Uint8Array,
  backbone: BackboneFile,
  threads = 1,
): Promise<RefinableModel> {
  const state = decodeDefectClassifier(payload);
  const measure = await openClassifierMeasure(state, threads);
  const extractor = await openPatchExtractor(backbone, state.layout, state.projection, threads);
  return refinableModel(extractor, measure, {
    ...state,
    // The network has learned from all images. It cannot hold one out.
    canHoldOut: state.weight === 0,
    encode: (corrections) => encodeDefectClassifier({ ...state, corrections }),
  });
}
