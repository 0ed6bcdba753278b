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
} from '../contract/common-parameters.ts';

/** Parameters of the detector; the ids are part of the API and never change. */
export const defectDetectorParameters: readonly ParameterSpec[] = [
  backboneParameter(501, 'auto'),
  imageSizeParameter(502, 640),
  parameterSpec(
    503,
    'bank_size',
    'Memory bank',
    'int',
    '2000',
    ['10', '20000'],
    'Good features remembered, to find unknown anomalies. Raise it for products that vary much.',
  ),
  flagParameter(504, 'rotations', {
    defaultValue: 'true',
    help: 'Switch off when classes differ by which way a defect lies.',
  }),
  flagParameter(505, 'flips', { defaultValue: 'true', help: 'Switch off when classes differ by left and right.' }),
  parameterSpec(
    506,
    'training_steps',
    'Training steps',
    'int',
    '3000',
    ['10', '20000'],
    'Raise it when there are hundreds of rectangles and classes are mixed up, lower it for a quick try; time grows with it.',
  ),
  falseAlarmRateParameter(507),
  tilingParameter(508),
  smoothingParameter(509),
  flagParameter(510, 'drop_outliers'),
  seedParameter(511),
];
