import type { Algorithm } from '../contract/algorithm.ts';
import { padimParameters } from './params.ts';

export const padim: Algorithm = {
  id: 'padim',
  name: 'PaDiM',
  type: 'anomaly_detection',
  attribute: 'unsupervised',
  version: '1',
  parameters: padimParameters,
  fit: async (input) => (await import('./fit.ts')).fitPadim(input),
  open: async (payload, backbone) => (await import('./predict.ts')).openPadim(payload, backbone),
  openTeachable: async (...model) => (await import('./teachable.ts')).openTeachablePadim(...model),
};
