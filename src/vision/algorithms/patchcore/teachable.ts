import { openBankMeasure } from '../../components/bank-measure.ts';
import { openPatchExtractor } from '../../features/patch-extractor.ts';
import type { BackboneFile, ParameterValues, TeachableModel } from '../../types.ts';
import { teachableModel } from '../taught-model.ts';
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
