import type { Algorithm } from '../../types.ts';
import { fitSubspace } from './fit.ts';
import { subspaceParameters } from './params.ts';
import { openSubspace } from './predict.ts';
import { openTeachableSubspace } from './teachable.ts';

export const subspace: Algorithm = {
  id: 'subspace',
  name: 'Subspace',
  type: 'anomaly_detection',
  attribute: 'unsupervised',
  version: '1',
  parameters: subspaceParameters,
  fit: fitSubspace,
  open: openSubspace,
  openTeachable: openTeachableSubspace,
};
