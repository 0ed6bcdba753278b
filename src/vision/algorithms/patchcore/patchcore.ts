import type { Algorithm } from '../contract/algorithm.ts';
import { patchcoreParameters } from './params.ts';

export const patchcore: Algorithm = {
  id: 'patchcore',
  name: 'PatchCore',
  type: 'anomaly_detection',
  attribute: 'unsupervised',
  version: '1',
  parameters: patchcoreParameters,
  fit: async (input) => (await import('./fit.ts')).fitPatchcore(input),
  open: async (payload, backbone) => (await import('./predict.ts')).openPatchcore(payload, backbone),
  openTeachable: async (...model) => (await import('./teachable.ts')).openTeachablePatchcore(...model),
};
