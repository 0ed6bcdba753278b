import { openPatchExtractor } from '../../backbone/patch-extractor.ts';
import { teachableModel } from '../../corrections/taught-model.ts';
import type { TeachableModel } from '../../corrections/teachable-model.ts';
import { openBankMeasure } from '../../memory-bank/bank-measure.ts';
import type { BackboneFile, ParameterValues } from '../../types.ts';
import { decodePatchcore, encodePatchcore } from './codec.ts';

/** @throws VisionError `invalid_model`, `invalid_backbone` */
export async function openTeachablePatchcore(
  payload: Uint8Array,
  backbone: BackboneFile,
  _params: ParameterValues,
  threads = 1,
): Promise<TeachableModel> {
  const state = decodePatchcore(payload);
  const measure = await openBankMeasure(state, state.neighbours, threads);
  const extractor = await openPatchExtractor(backbone, state.layout, state.projection, threads);
  const encode: TeachableModel['encode'] = (taught) => encodePatchcore({ ...state, taught });
  return teachableModel(state, { extractor, measure }, { leavesOut: true, encode });
}
