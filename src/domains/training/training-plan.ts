import { AppError, type FieldProblem, fieldErrors } from '../../errors.ts';
import { type Message, say } from '../../messages/message.ts';
import type { ItemRow } from '../../storage/database.ts';
import type { Algorithm } from '../../vision/algorithms/contract/algorithm.ts';
import { parseParameterValues } from '../../vision/algorithms/contract/parameter-values.ts';
import type { ParameterValues } from '../../vision/types.ts';
import type { TrainRequestInput } from './training.schemas.ts';

/** Parameter values of a training request. @throws AppError naming each bad parameter. */
export function planParameters(algorithm: Algorithm, overrides: TrainRequestInput['override_params']): ParameterValues {
  const problems: FieldProblem[] = [];
  const seen = new Set<number>();
  const named = (overrides ?? []).flatMap(({ algorithm_parameter_id: id, value }) => {
    const parameter = algorithm.parameters.find((candidate) => candidate.id === id);
    if (!parameter) {
      const known = algorithm.parameters.map((one) => `${one.id} (${one.name})`);
      problems.push({
        key: String(id),
        errors: [say('field.unknown-of', { known })],
      });
    } else if (seen.has(id)) {
      problems.push({ key: parameter.name, errors: [say('field.twice')] });
    }
    seen.add(id);
    return parameter ? [{ name: parameter.name, value }] : [];
  });
  const parsed = parseParameterValues(algorithm, named);
  if ('issues' in parsed)
    problems.push(...parsed.issues.map((issue) => ({ key: issue.name, errors: [issue.message] })));
  if ('issues' in parsed || problems.length > 0) throw fieldErrors('invalid-request', problems);
  return parsed.values;
}

/** The items of a training request, checked against what the algorithm needs. */
export function planItems(
  algorithm: Algorithm,
  requested: readonly string[],
  found: readonly ItemRow[],
  explicit: boolean,
): ItemRow[] {
  const byId = new Map(found.map((item) => [item.item_id, item]));
  const problems: FieldProblem[] = [];
  const complain = (ids: readonly string[], code: 'item.not-there' | 'item.twice' | 'item.unjudged'): void => {
    problems.push(...ids.slice(0, 20).map((id) => ({ key: 'item_ids', errors: [say(code, { id })] })));
  };
  const distinct = new Set<string>();
  const repeated = new Set<string>();
  for (const id of requested) (distinct.has(id) ? repeated : distinct).add(id);
  complain(
    [...distinct].filter((id) => !byId.has(id)),
    'item.not-there',
  );
  complain([...repeated], 'item.twice');
  if (problems.length > 0) throw fieldErrors('invalid-request', problems);
  const good = found.filter((item) => item.user_result === 'OK');
  const defective = found.filter((item) => item.user_result === 'NG');
  const unjudged = found.filter((item) => item.user_result === null);
  if (explicit)
    complain(
      unjudged.map((item) => item.item_id),
      'item.unjudged',
    );
  if (problems.length > 0) throw fieldErrors('invalid-request', problems);
  if (good.length === 0) {
    throw insufficientTrainingData(say(explicit ? 'training.no-good-item' : 'training.no-good-active-item'));
  }
  if (algorithm.attribute === 'supervised' && defective.length === 0) {
    const code = explicit ? 'training.no-ng-item' : 'training.no-ng-active-item';
    throw insufficientTrainingData(say(code, { algorithm: algorithm.id }));
  }
  return [...good, ...defective].sort((one, other) => one.seq - other.seq);
}

export function insufficientTrainingData(reason: Message): AppError {
  return new AppError('training-data-insufficient', { reason }, { problems: [{ key: 'item_ids', errors: [reason] }] });
}
