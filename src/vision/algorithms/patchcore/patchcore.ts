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
  open: async (payload, backbone) => (await import('./open-model.ts')).openPatchcore(payload, backbone),
  openRefinable: async (...model) => (await import('./open-model.ts')).openRefinablePatchcore(...model),
};
