import type { Algorithm } from '../contract/algorithm.ts';
import { defectDetectorParameters } from './params.ts';

export const defectDetector: Algorithm = {
  id: 'defect-detector',
  name: 'Defect detector',
  type: 'object_detection',
  attribute: 'supervised',
  version: '2',
  parameters: defectDetectorParameters,
  fit: async (input) => (await import('./fit.ts')).fitDefectDetector(input),
  open: async (payload, backbone) => (await import('./open-model.ts')).openDefectDetector(payload, backbone),
  openRefinable: async (...model) => (await import('./open-model.ts')).openRefinableDetector(...model),
};
