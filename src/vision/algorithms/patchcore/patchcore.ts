import type { Algorithm } from '../contract/algorithm.ts';
import { commonParameter, parameter } from '../contract/common-parameters.ts';

export const patchcore: Algorithm = {
  id: 'patchcore',
  name: 'PatchCore',
  type: 'anomaly_detection',
  attribute: 'unsupervised',
  version: '1',
  // The ids are part of the API and never change.
  parameters: [
    commonParameter(101, 'backbone'),
    commonParameter(102, 'image_size'),
    commonParameter(103, 'bank_size'),
    parameter(104, 'neighbours', {
      displayName: 'Neighbours',
      dataType: 'int',
      defaultValue: '1',
      rangeLower: '1',
      rangeUpper: '50',
      help: 'Raise it to 3 or more when a few good training images are doubtful.',
    }),
    commonParameter(105, 'rotations'),
    commonParameter(106, 'flips'),
    commonParameter(107, 'false_alarm_rate'),
    commonParameter(108, 'tiling'),
    commonParameter(109, 'smoothing'),
    commonParameter(110, 'drop_outliers'),
    commonParameter(111, 'seed'),
    commonParameter(112, 'max_tiles'),
  ],
  fit: async (input) => (await import('./fit.ts')).fitPatchcore(input),
  open: async (payload, backbone) => (await import('./model.ts')).openPatchcore(payload, backbone),
  openRefinable: async (...model) => (await import('./model.ts')).openRefinablePatchcore(...model),
};
