import type { ParameterSpec } from '../../types.ts';
import {
  backboneParameter,
  falseAlarmRateParameter,
  flagParameter,
  imageSizeParameter,
  parameterSpec,
  seedParameter,
  smoothingParameter,
  tilingParameter,
} from '../common-parameters.ts';

/** Parameters of the classifier; the ids are part of the API and never change. */
export const defectClassifierParameters: readonly ParameterSpec[] = [
  backboneParameter(401),
  imageSizeParameter(402),
  parameterSpec(
    403,
    'bank_size',
    'Memory bank',
    'int',
    '2000',
    ['10', '20000'],
    'Good features remembered. Raise it for products that vary much; time grows with it.',
  ),
  falseAlarmRateParameter(404),
  tilingParameter(405),
  smoothingParameter(406),
  flagParameter(407, 'drop_outliers'),
  seedParameter(408),
];
