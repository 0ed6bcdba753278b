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
  open: async (payload, backbone) => (await import('./open-model.ts')).openPadim(payload, backbone),
  openRefinable: async (...model) => (await import('./open-model.ts')).openRefinablePadim(...model),
};
