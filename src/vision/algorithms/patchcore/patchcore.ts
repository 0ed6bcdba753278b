import type { Algorithm } from '../../types.ts';
import { fitPatchcore } from './fit.ts';
import { patchcoreParameters } from './params.ts';
import { openPatchcore } from './predict.ts';
import { openTeachablePatchcore } from './teachable.ts';

export const patchcore: Algorithm = {
  id: 'patchcore',
  name: 'PatchCore',
  type: 'anomaly_detection',
  attribute: 'unsupervised',
  version: '1',
  parameters: patchcoreParameters,
  fit: fitPatchcore,
  open: openPatchcore,
  openTeachable: openTeachablePatchcore,
};
