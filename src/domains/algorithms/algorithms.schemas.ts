import Type, { type Static } from 'typebox';
import { DateTime, Id, Int32, Nullable, Shape } from '../../http/common-schemas.ts';

export const AlgorithmParameter = Shape('AlgorithmParameter', {
  algorithm_parameter_id: Type.Optional(Int32()),
  algorithm_id: Type.String(),
  name: Type.String(),
  display_name: Type.Optional(Nullable(Type.String())),
  data_type: Type.Optional(Type.String({ description: 'int, float, bool, string or enum' })),
  value: Type.Optional(Nullable(Type.String({ description: 'the default' }))),
  range_lower: Type.Optional(Nullable(Type.String({ description: 'enum: the allowed values, separated by |' }))),
  range_upper: Type.Optional(Nullable(Type.String())),
  model_parameter: Type.Optional(Nullable(Type.Boolean({ description: 'true: fixed by training' }))),
  help: Type.Optional(Type.String({ description: 'ext: when to touch it' })),
  created_at: DateTime(),
  updated_at: DateTime(),
});

export const Algorithm = Shape('Algorithm', {
  algorithm_id: Type.String(),
  name: Type.String(),
  type: Type.Optional(Type.String({ description: 'anomaly_detection, classification or object_detection' })),
  attribute: Type.Optional(Type.String({ description: 'unsupervised or supervised' })),
  version: Type.Optional(Nullable(Type.String())),
  file_name: Type.String(),
  class_name: Type.String(),
  parameters: Type.Optional(Type.Array(AlgorithmParameter)),
  created_at: DateTime(),
  updated_at: DateTime(),
});

export const AlgorithmIdParams = Type.Object({ algorithm_id: Id('algorithm, such as patchcore') });
export type AlgorithmView = Static<typeof Algorithm>;
