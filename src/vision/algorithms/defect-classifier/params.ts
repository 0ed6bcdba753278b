import type { ParameterSpec } from '../../types.ts';
import {
  backboneParameter,
  bankSizeParameter,
  falseAlarmRateParameter,
  flagParameter,
  imageSizeParameter,
  seedParameter,
  smoothingParameter,
  tilingParameter,
  turnedCopiesParameter,
} from '../contract/common-parameters.ts';

/** Parameters of the classifier; the ids are part of the API and never change. */
export const defectClassifierParameters: readonly ParameterSpec[] = [
  backboneParameter(401, 'auto'),
  imageSizeParameter(402),
  bankSizeParameter(403),
  falseAlarmRateParameter(404),
  tilingParameter(405),
  smoothingParameter(406),
  flagParameter(407, 'drop_outliers'),
  seedParameter(408),
  turnedCopiesParameter(409),
];
