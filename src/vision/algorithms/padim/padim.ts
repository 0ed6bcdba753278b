import type { Algorithm } from '../../types.ts';
import { fitPadim } from './fit.ts';
import { padimParameters } from './params.ts';
import { openPadim } from './predict.ts';
import { openTeachablePadim } from './teachable.ts';

export const padim: Algorithm = {
  id: 'padim',
  name: 'PaDiM',
  type: 'anomaly_detection',
  attribute: 'unsupervised',
  version: '1',
  parameters: padimParameters,
  fit: fitPadim,
  open: openPadim,
  openTeachable: openTeachablePadim,
};
