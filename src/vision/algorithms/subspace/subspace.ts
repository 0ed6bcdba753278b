import type { Algorithm } from '../contract/algorithm.ts';
import { commonParameter, parameter } from '../contract/common-parameters.ts';

export const subspace: Algorithm = {
  id: 'subspace',
  name: 'Subspace',
  type: 'anomaly_detection',
  attribute: 'unsupervised',
  version: '1',
  // The ids are part of the API and never change.
  parameters: [
    // The 8-bit network costs the subspace more than 0.002 of image AUROC: docs/decisions/backbone.md.
    commonParameter(301, 'backbone', { defaultValue: 'kensa' }),
    commonParameter(302, 'image_size'),
    parameter(303, 'explained_variance', {
      displayName: 'Explained variance',
      dataType: 'float',
      defaultValue: '0.993',
      rangeLower: '0.1',
      rangeUpper: '0.9999',
      help: 'Raise it when harmless differences count as defects, lower it when faint defects are missed.',
    }),
    parameter(304, 'max_axes', {
      displayName: 'Most axes',
      dataType: 'int',
      defaultValue: '128',
      rangeLower: '1',
      rangeUpper: '200',
      help: 'Raise it for products that vary much; training time grows with its cube.',
    }),
    commonParameter(305, 'rotations'),
    commonParameter(306, 'flips'),
    commonParameter(307, 'false_alarm_rate'),
    commonParameter(308, 'tiling'),
    commonParameter(309, 'smoothing'),
    commonParameter(310, 'drop_outliers'),
    commonParameter(311, 'seed'),
    commonParameter(312, 'max_tiles'),
  ],
  fit: async (input) => (await import('./fit.ts')).fitSubspace(input),
  open: async (payload, backbone) => (await import('./model.ts')).openSubspace(payload, backbone),
  openRefinable: async (...model) => (await import('./model.ts')).openRefinableSubspace(...model),
};
