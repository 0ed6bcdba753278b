import { AppError, type FieldProblem } from '../../errors.ts';
import type { Algorithm } from '../../vision/algorithms/contract/algorithm.ts';
import { parseParameterValues } from '../../vision/algorithms/contract/parameter-values.ts';
import type { ParameterValues } from '../../vision/types.ts';
import type { ItemRow } from '../items/item-rows.ts';
import type { TrainRequestInput } from './training.schemas.ts';

/** Parameter values of a training request. @throws AppError naming each bad parameter. */
export function planParameters(algorithm: Algorithm, overrides: TrainRequestInput['override_params']): ParameterValues {
  const problems: FieldProblem[] = [];
  const seen = new Set<number>();
  const named = (overrides ?? []).flatMap(({ algorithm_parameter_id: id, value }) => {
    const parameter = algorithm.parameters.find((candidate) => candidate.id === id);
    if (!parameter) {
      const known = algorithm.parameters.map((one) => `${one.id} (${one.name})`).join(', ');
      problems.push({ key: String(id), errors: [`is not a parameter of ${algorithm.id}. Known: ${known}.`] });
    } else if (seen.has(id)) {
      problems.push({ key: parameter.name, errors: ['is overridden twice. Send it once.'] });
    }
    seen.add(id);
    return parameter ? [{ name: parameter.name, value }] : [];
  });
  const parsed = parseParameterValues(algorithm, named);
  if ('issues' in parsed)
    problems.push(...parsed.issues.map((issue) => ({ key: issue.name, errors: [issue.message] })));
  if ('issues' in parsed || problems.length > 0) throw invalid(problems);
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
  const complain = (ids: readonly string[], error: string): void => {
    problems.push(...ids.slice(0, 20).map((id) => ({ key: 'item_ids', errors: [`${id} ${error}`] })));
  };
  const distinct = new Set<string>();
  const repeated = new Set<string>();
  for (const id of requested) (distinct.has(id) ? repeated : distinct).add(id);
  complain(
    [...distinct].filter((id) => !byId.has(id)),
    'does not exist.',
  );
  complain([...repeated], 'is listed twice. List it once.');
  if (problems.length > 0) throw invalid(problems);
  const good = found.filter((item) => item.user_result === 'OK');
  const defective = found.filter((item) => item.user_result === 'NG');
  const unjudged = found.filter((item) => item.user_result === null);
  if (explicit)
    complain(
      unjudged.map((item) => item.item_id),
      'is neither good nor NG yet. Judge it first, or leave it out.',
    );
  if (problems.length > 0) throw invalid(problems);
  const where = explicit ? 'the items listed' : 'the active training items';
  if (good.length === 0) {
    throw insufficientTrainingData(
      `there is no good item among ${where}. Upload photos of good products with training=true and good=true.`,
    );
  }
  if (algorithm.attribute === 'supervised' && defective.length === 0) {
    throw insufficientTrainingData(
      `${algorithm.id} learns from defects too, and there is no NG item among ${where}. Upload some with good=false, or annotate regions.`,
    );
  }
  return [...good, ...defective].sort((one, other) => one.seq - other.seq);
}

function invalid(problems: readonly FieldProblem[]): AppError {
  const reason = problems.map((problem) => `${problem.key}: ${problem.errors.join(' ')}`).join(' ');
  return new AppError('invalid-request', { reason: reason.slice(0, 2000) }, { problems });
}

export function insufficientTrainingData(reason: string): AppError {
  return new AppError('training-data-insufficient', { reason }, { problems: [{ key: 'item_ids', errors: [reason] }] });
}
