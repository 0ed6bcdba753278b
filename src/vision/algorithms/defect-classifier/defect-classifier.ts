import type { Algorithm } from '../../types.ts';
import { fitDefectClassifier } from './fit.ts';
import { defectClassifierParameters } from './params.ts';
import { openDefectClassifier } from './predict.ts';
import { openTeachableClassifier } from './teachable.ts';

export const defectClassifier: Algorithm = {
  id: 'defect-classifier',
  name: 'Defect classifier',
  type: 'classification',
  attribute: 'supervised',
  version: '1',
  parameters: defectClassifierParameters,
  fit: fitDefectClassifier,
  open: openDefectClassifier,
  openTeachable: openTeachableClassifier,
};
