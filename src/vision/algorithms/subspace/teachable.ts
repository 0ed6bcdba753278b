import { openResidualMeasure } from '../../components/residual-scorer.ts';
import { openPatchExtractor } from '../../features/patch-extractor.ts';
import type { BackboneFile, ParameterValues, TeachableModel } from '../../types.ts';
import { teachableModel } from '../taught-model.ts';
import { decodeSubspace, encodeSubspace } from './codec.ts';

/** @throws VisionError `invalid_model`, `invalid_backbone` */
export async function openTeachableSubspace(
  payload: Uint8Array,
  backbone: BackboneFile,
  _params: ParameterValues,
  threads = 1,
): Promise<TeachableModel> {
  const state = decodeSubspace(payload);
  const measure = await openResidualMeasure(state, true, threads);
  const extractor = await openPatchExtractor(backbone, state.layout, undefined, threads);
  const encode: TeachableModel['encode'] = (taught) => encodeSubspace({ ...state, taught });
  return teachableModel(state, { extractor, measure }, { leavesOut: false, encode });
}
