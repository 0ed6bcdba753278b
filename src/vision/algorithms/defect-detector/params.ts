import type { ParameterSpec } from '../../types.ts';
import { commonParameter, parameter } from '../contract/common-parameters.ts';

const SWITCHED_ON = { dataType: 'bool', defaultValue: 'true', rangeLower: null, rangeUpper: null } as const;

/** Parameters of the detector; the ids are part of the API and never change. */
export const defectDetectorParameters: readonly ParameterSpec[] = [
  commonParameter(501, 'backbone'),
  commonParameter(502, 'image_size', { defaultValue: '640' }),
  commonParameter(503, 'bank_size', {
    defaultValue: '2000',
    rangeLower: '10',
    help: 'Good features remembered, to find unknown anomalies. Raise it for products that vary much.',
  }),
  commonParameter(504, 'rotations', {
    ...SWITCHED_ON,
    help: 'Switch off when classes differ by which way a defect lies.',
  }),
  commonParameter(505, 'flips', { ...SWITCHED_ON, help: 'Switch off when classes differ by left and right.' }),
  parameter(506, 'training_steps', {
    displayName: 'Training steps',
    dataType: 'int',
    defaultValue: '3000',
    rangeLower: '10',
    rangeUpper: '20000',
    help: 'Raise it when there are hundreds of rectangles and classes are mixed up, lower it for a quick try; time grows with it.',
  }),
  commonParameter(507, 'false_alarm_rate'),
  commonParameter(508, 'tiling'),
  commonParameter(509, 'smoothing'),
  commonParameter(510, 'drop_outliers'),
  commonParameter(511, 'seed'),
];
