import type { Algorithm } from '../contract/algorithm.ts';
import { commonParameter, parameter } from '../contract/common-parameters.ts';

export const padim: Algorithm = {
  id: 'padim',
  name: 'PaDiM',
  type: 'anomaly_detection',
  attribute: 'unsupervised',
  version: '1',
  // The ids are part of the API and never change.
  parameters: [
    // The 8-bit network costs PaDiM more than 0.002 of image AUROC: docs/decisions/backbone.md.
    commonParameter(201, 'backbone', { defaultValue: 'kensa' }),
    commonParameter(202, 'image_size'),
    parameter(203, 'channels', {
      displayName: 'Feature channels',
      dataType: 'int',
      defaultValue: '48',
      rangeLower: '4',
      rangeUpper: '128',
      help: 'Raise it when faint defects are missed; the model file grows with its square, and more than 64 need an input below 1024.',
    }),
    parameter(204, 'prior_images', {
      displayName: 'Weight of the common spread',
      dataType: 'float',
      defaultValue: '20',
      rangeLower: '1',
      rangeUpper: '1000',
      help: 'In images. Raise it when good products lie a little differently each time.',
    }),
    commonParameter(205, 'false_alarm_rate'),
    commonParameter(206, 'smoothing'),
    commonParameter(207, 'drop_outliers'),
    commonParameter(208, 'seed'),
  ],
  fit: async (input) => (await import('./fit.ts')).fitPadim(input),
  open: async (payload, backbone) => (await import('./model.ts')).openPadim(payload, backbone),
  openRefinable: async (...model) => (await import('./model.ts')).openRefinablePadim(...model),
};
