import type { Algorithm } from '../contract/algorithm.ts';
import { subspaceParameters } from './params.ts';

export const subspace: Algorithm = {
  id: 'subspace',
  name: 'Subspace',
  type: 'anomaly_detection',
  attribute: 'unsupervised',
  version: '1',
  parameters: subspaceParameters,
  fit: async (input) => (await import('./fit.ts')).fitSubspace(input),
  open: async (payload, backbone) => (await import('./open-model.ts')).openSubspace(payload, backbone),
  openRefinable: async (...model) => (await import('./open-model.ts')).openRefinableSubspace(...model),
};
