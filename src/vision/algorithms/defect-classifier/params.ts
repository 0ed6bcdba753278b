import type { ParameterSpec } from '../../types.ts';
import { commonParameter } from '../contract/common-parameters.ts';

/** Parameters of the classifier; the ids are part of the API and never change. */
export const defectClassifierParameters: readonly ParameterSpec[] = [
  commonParameter(401, 'backbone'),
  commonParameter(402, 'image_size'),
  commonParameter(403, 'bank_size'),
  commonParameter(404, 'false_alarm_rate'),
  commonParameter(405, 'tiling'),
  commonParameter(406, 'smoothing'),
  commonParameter(407, 'drop_outliers'),
  commonParameter(408, 'seed'),
  commonParameter(409, 'rotations'),
];
