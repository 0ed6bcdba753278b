import type { ParameterSpec } from '../../types.ts';
import {
  backboneParameter,
  falseAlarmRateParameter,
  flagParameter,
  imageSizeParameter,
  parameterSpec,
  seedParameter,
  smoothingParameter,
} from '../contract/common-parameters.ts';

/** Parameters of PaDiM; the ids are part of the API and never change. */
export const padimParameters: readonly ParameterSpec[] = [
  backboneParameter(201, 'kensa'),
  imageSizeParameter(202),
  parameterSpec(
    203,
    'channels',
    'Feature channels',
    'int',
    '48',
    ['4', '128'],
    'Raise it when faint defects are missed; the model file grows with its square, and more than 64 need an input below 1024.',
  ),
  parameterSpec(
    204,
    'prior_images',
    'Weight of the common spread',
    'float',
    '20',
    ['1', '1000'],
    'In images. Raise it when good products lie a little differently each time.',
  ),
  falseAlarmRateParameter(205),
  smoothingParameter(206),
  flagParameter(207, 'drop_outliers'),
  seedParameter(208),
];
