import type { Algorithm } from '../contract/algorithm.ts';
import { commonParameter, parameter } from '../contract/common-parameters.ts';

const SWITCHED_ON = { dataType: 'bool', defaultValue: 'true', rangeLower: null, rangeUpper: null } as const;

export const defectDetector: Algorithm = {
  id: 'defect-detector',
  name: 'Defect detector',
  type: 'object_detection',
  attribute: 'supervised',
  version: '2',
  // The ids are part of the API and never change.
  parameters: [
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
  ],
  fit: async (input) => (await import('./fit.ts')).fitDefectDetector(input),
  open: async (payload, backbone) => (await import('./model.ts')).openDefectDetector(payload, backbone),
  openRefinable: async (...model) => (await import('./model.ts')).openRefinableDetector(...model),
};
