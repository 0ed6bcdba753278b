import type { Algorithm } from '../../types.ts';
import { fitDefectDetector } from './fit.ts';
import { defectDetectorParameters } from './params.ts';
import { openDefectDetector } from './predict.ts';
import { openTeachableDetector } from './teachable.ts';

export const defectDetector: Algorithm = {
  id: 'defect-detector',
  name: 'Defect detector',
  type: 'object_detection',
  attribute: 'supervised',
  version: '2',
  parameters: defectDetectorParameters,
  fit: fitDefectDetector,
  open: openDefectDetector,
  openTeachable: openTeachableDetector,
};
