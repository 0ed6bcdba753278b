import { AppError, type FieldProblem, fieldError, fieldErrors } from '../../errors.ts';
import { type Message, say } from '../../messages/message.ts';
import type { ItemRow } from '../../storage/database.ts';
import type { Algorithm } from '../../vision/algorithms/catalogue.ts';
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

/** Items by the verdict of a person: training learns from good and defective ones. */
export function groupByVerdict(items: readonly ItemRow[]) {
  const good: ItemRow[] = [];
  const defective: ItemRow[] = [];
  const unjudged: ItemRow[] = [];
  const groups = { OK: good, NG: defective };
  for (const item of items) (item.user_result === null ? unjudged : groups[item.user_result]).push(item);
  return { good, defective, unjudged };
}

/** The items of a training request, checked against the needs of the algorithm. */
export function planItems(
  algorithm: Algorithm,
  requested: readonly string[],
  found: readonly ItemRow[],
  explicit: boolean,
): ItemRow[] {
  const known = new Set(found.map((item) => item.item_id));
  const distinct = new Set<string>();
  const repeated = new Set<string>();
  for (const id of requested) (distinct.has(id) ? repeated : distinct).add(id);
  const missing = [...distinct].filter((id) => !known.has(id));
  refuseItems([...describeItems(missing, 'item.not-there'), ...describeItems([...repeated], 'item.twice')]);
  const { good, defective, unjudged } = groupByVerdict(found);
  const unjudgedIds = unjudged.map((item) => item.item_id);
  if (explicit) refuseItems(describeItems(unjudgedIds, 'item.unjudged'));
  if (good.length === 0) {
    throw insufficientTrainingData(say('training.no-good-item'));
  }
  if (algorithm.attribute === 'supervised' && defective.length === 0) {
    throw insufficientTrainingData(say('training.no-ng-item', { algorithm: algorithm.id }));
  }
  return [...good, ...defective].sort((one, other) => one.seq - other.seq);
}

/** @param asked the target that the request names */
export function refuseMixedTargets(chosen: readonly ItemRow[], asked: number | undefined): void {
  const found = new Set(chosen.map((item) => item.target_id));
  if (asked !== undefined) found.add(asked);
  if (found.size <= 1) return;
  const list = [...found].sort((one, other) => one - other).join(', ');
  throw fieldError('invalid-request', 'item_ids', say('training.mixed-targets', { targets: list }));
}

/** The same problem of up to 20 items. */
export function describeItems(
  ids: readonly string[],
  code: 'item.not-there' | 'item.twice' | 'item.unjudged',
): FieldProblem[] {
  return ids.slice(0, 20).map((id) => ({ key: 'item_ids', errors: [say(code, { id })] }));
}

function refuseItems(problems: readonly FieldProblem[]): void {
  if (problems.length > 0) throw fieldErrors('invalid-request', problems);
}

export function insufficientTrainingData(reason: Message): AppError {
  return new AppError('training-data-insufficient', { reason }, { problems: [{ key: 'item_ids', errors: [reason] }] });
}
