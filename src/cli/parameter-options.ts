import { AppError } from '../errors.ts';
import { findAlgorithm } from '../vision/algorithms/catalogue.ts';
import { parseParameterValues } from '../vision/algorithms/parameter-values.ts';
import type { Algorithm, ParameterValues } from '../vision/types.ts';

/** For `--param name=value`, given any number of times. */
export function collectParameter(value: string, earlier: readonly string[]): string[] {
  return [...earlier, value];
}

/** @throws AppError naming each bad parameter. */
export function parseAlgorithmOptions(
  algorithmId: string,
  given: readonly string[],
): { algorithm: Algorithm; values: ParameterValues } {
  const algorithm = findAlgorithm(algorithmId);
  if (!algorithm) throw new AppError('algorithm-not-found', { id: algorithmId, known: 'see "kensa train --help"' });
  const named = given.map((text) => {
    const split = text.indexOf('=');
    return { name: text.slice(0, Math.max(0, split)), value: text.slice(split + 1) };
  });
  const parsed = parseParameterValues(algorithm, named);
  if (!('issues' in parsed)) return { algorithm, values: parsed.values };
  const reason = parsed.issues.map((issue) => `${issue.name}: ${issue.message}`).join(' ');
  throw new AppError('invalid-request', { reason });
}
