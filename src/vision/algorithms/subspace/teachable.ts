import { openPatchExtractor } from '../../backbone/patch-extractor.ts';
import { teachableModel } from '../../corrections/taught-model.ts';
import type { TeachableModel } from '../../corrections/teachable-model.ts';
import type { BackboneFile, ParameterValues } from '../../types.ts';
import { decodeSubspace, encodeSubspace } from './codec.ts';
import { openResidualMeasure } from './residual-scorer.ts';

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
