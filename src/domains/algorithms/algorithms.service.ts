import Type, { type Static } from 'typebox';
import { AppError } from '../../errors.ts';
import { DateTime, Id, Int32, Nullable, Shape } from '../../http/common-schemas.ts';
import { algorithms, type Algorithm as EngineAlgorithm, findAlgorithm } from '../../vision/algorithms/catalogue.ts';

const AlgorithmParameter = Shape('AlgorithmParameter', {
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

// The catalogue comes with the release, so its times are the release's and not the database's.
const releasedAt = '2026-11-21T00:00:00.000Z';

/** @throws AppError `algorithm-not-found`. */
export function getAlgorithm(algorithmId: string): EngineAlgorithm {
  const algorithm = findAlgorithm(algorithmId);
  if (algorithm) return algorithm;
  throw new AppError('algorithm-not-found', { id: algorithmId, known: algorithms.map((one) => one.id) });
}

/** The contract's Algorithm. */
export function viewAlgorithm(algorithm: EngineAlgorithm): Static<typeof Algorithm> {
  const stamps = { created_at: releasedAt, updated_at: releasedAt };
  return {
    algorithm_id: algorithm.id,
    name: algorithm.name,
    type: algorithm.type,
    attribute: algorithm.attribute,
    version: algorithm.version,
    file_name: `${algorithm.id}.ts`,
    class_name: algorithm.id.replace(/(^|-)(\w)/g, (_, _dash, letter: string) => letter.toUpperCase()),
    parameters: algorithm.parameters.map((parameter) => ({
      algorithm_parameter_id: parameter.id,
      algorithm_id: algorithm.id,
      name: parameter.name,
      display_name: parameter.displayName,
      data_type: parameter.dataType,
      value: parameter.defaultValue,
      range_lower: parameter.rangeLower,
      range_upper: parameter.rangeUpper,
      model_parameter: true,
      help: parameter.help,
      ...stamps,
    })),
    ...stamps,
  };
}
