import type { Algorithm } from '../contract/algorithm.ts';
import { defectClassifierParameters } from './params.ts';

export const defectClassifier: Algorithm = {
  id: 'defect-classifier',
  name: 'Defect classifier',
  type: 'classification',
  attribute: 'supervised',
  version: '1',
  parameters: defectClassifierParameters,
  fit: async (input) => (await import('./fit.ts')).fitDefectClassifier(input),
  open: async (payload, backbone) => (await import('./open-model.ts')).openDefectClassifier(payload, backbone),
  openRefinable: async (...model) => (await import('./open-model.ts')).openRefinableClassifier(...model),
};
