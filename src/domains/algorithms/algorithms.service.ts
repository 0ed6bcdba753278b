import { AppError } from '../../errors.ts';
import { type Algorithm, algorithms, findAlgorithm } from '../../vision/algorithms/catalogue.ts';
import type { AlgorithmView } from './algorithms.schemas.ts';

// The catalogue comes with the release, so its times are the release's and not the database's.
const releasedAt = '2026-11-21T00:00:00.000Z';

/** @throws AppError `algorithm-not-found`. */
export function getAlgorithm(algorithmId: string): Algorithm {
  const algorithm = findAlgorithm(algorithmId);
  if (algorithm) return algorithm;
  throw new AppError('algorithm-not-found', { id: algorithmId, known: algorithms.map((one) => one.id) });
}

/** The contract's Algorithm. */
export function viewAlgorithm(algorithm: Algorithm): AlgorithmView {
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
