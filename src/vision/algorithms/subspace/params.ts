import type { ParameterSpec } from '../../types.ts';
import {
  backboneParameter,
  falseAlarmRateParameter,
  flagParameter,
  imageSizeParameter,
  mostTilesParameter,
  parameterSpec,
  seedParameter,
  smoothingParameter,
  tilingParameter,
  turnedCopiesParameter,
} from '../contract/common-parameters.ts';

/** Parameters of the subspace; the ids are part of the API and never change. */
export const subspaceParameters: readonly ParameterSpec[] = [
  backboneParameter(301, 'kensa'),
  imageSizeParameter(302),
  parameterSpec(
    303,
    'explained_variance',
    'Explained variance',
    'float',
    '0.993',
    ['0.1', '0.9999'],
    'Raise it when harmless differences count as defects, lower it when faint defects are missed.',
  ),
  parameterSpec(
    304,
    'max_axes',
    'Most axes',
    'int',
    '128',
    ['1', '200'],
    'Raise it for products that vary much; training time grows with its cube.',
  ),
  turnedCopiesParameter(305),
  flagParameter(306, 'flips'),
  falseAlarmRateParameter(307),
  tilingParameter(308),
  smoothingParameter(309),
  flagParameter(310, 'drop_outliers'),
  seedParameter(311),
  mostTilesParameter(312),
];
