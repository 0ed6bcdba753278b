import type { Algorithm } from '../contract/algorithm.ts';
import { commonParameter } from '../contract/common-parameters.ts';

export const defectClassifier: Algorithm = {
  id: 'defect-classifier',
  name: 'Defect classifier',
  type: 'classification',
  attribute: 'supervised',
  version: '1',
  // The ids are part of the API and never change.
  parameters: [
    commonParameter(401, 'backbone'),
    commonParameter(402, 'image_size'),
    commonParameter(403, 'bank_size'),
    commonParameter(404, 'false_alarm_rate'),
    commonParameter(405, 'tiling'),
    commonParameter(406, 'smoothing'),
    commonParameter(407, 'drop_outliers'),
    commonParameter(408, 'seed'),
    commonParameter(409, 'rotations'),
  ],
  fit: async (input) => (await import('./fit.ts')).fitDefectClassifier(input),
  open: async (payload, backbone) => (await import('./model.ts')).openDefectClassifier(payload, backbone),
  openRefinable: async (...model) => (await import('./model.ts')).openRefinableClassifier(...model),
};
