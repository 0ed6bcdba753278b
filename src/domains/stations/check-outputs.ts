import { type FieldProblem, fieldErrors } from '../../errors.ts';
import { type Message, say } from '../../messages/message.ts';
import type { StationRow } from '../../storage/database.ts';
import type { StationOutputSettings } from './stations.schemas.ts';

export const parseOutputs = ({ outputs }: Pick<StationRow, 'outputs'>): StationOutputSettings[] =>
  JSON.parse(outputs) as StationOutputSettings[];

/** Whether its results go to the MQTT broker. */
export const publishes = (station: StationRow): boolean => parseOutputs(station).some(({ kind }) => kind === 'mqtt');

/** The fields of each kind of output besides `kind`. */
const fieldsOf: Readonly<Record<StationOutputSettings['kind'], readonly string[]>> = {
  mqtt: [],
  modbus: ['unit', 'timeout_ms', 'recipes'],
  webhook: ['url'],
  sidecar: [],
};

/** What the outputs can be checked against. Each says what is wrong, or undefined. */
export interface OutputChecks {
  mqtt(): Message | undefined;
  modbus(): Message | undefined;
  webhook(url: string): Promise<Message | undefined>;
  /** @param folder that the station watches; undefined where its source is no folder */
  sidecar(folder: string | undefined): Promise<Message | undefined>;
}

/**
 * @param before the station's outputs today: what it has already is not tried again, so that a receiver that is away
 * does not keep other settings from being changed
 * @throws AppError naming each field that cannot be used
 */
export async function checkOutputs(
  outputs: readonly StationOutputSettings[],
  context: {
    name: string;
    before: readonly StationOutputSettings[];
    others: readonly StationRow[];
    /** The folder that the station watches, where it watches one. */
    folder: string | undefined;
    checks: OutputChecks;
  },
): Promise<void> {
  const { name, before, others, checks } = context;
  const problems: FieldProblem[] = [];
  for (const [index, output] of outputs.entries()) {
    const complain = (field: string, problem: Message | undefined): void => {
      if (problem) problems.push({ key: `outputs.${index}.${field}`, errors: [problem] });
    };
    const { kind, unit, url, recipes = [] } = output;
    for (const key of Object.keys(output))
      if (key !== 'kind' && !fieldsOf[kind].includes(key)) complain(key, say('output.not-of-kind', { kind }));
    const earlier = outputs.slice(0, index);
    const isNewKind = before.every((other) => other.kind !== kind);
    if (kind !== 'webhook' && earlier.some((other) => other.kind === kind))
      complain('kind', say('output.twice', { kind }));
    if (kind === 'webhook') {
      if (earlier.some((other) => other.url === url)) complain('url', say('output.url-twice'));
      const isNew = before.every((other) => other.url !== url);
      const tried = url !== undefined && isNew ? await checks.webhook(url) : undefined;
      complain('url', url === undefined ? say('field.required') : tried);
    }
    if (kind === 'mqtt') {
      if (/[+#/]|^status$/.test(name)) complain('kind', say('output.topic', { name }));
      if (isNewKind) complain('kind', checks.mqtt());
    }
    // A folder that is away keeps no other setting from being changed.
    if (kind === 'sidecar' && (isNewKind || context.folder === undefined))
      complain('kind', await checks.sidecar(context.folder));
    if (kind === 'modbus') {
      if (isNewKind) complain('kind', checks.modbus());
      if (unit === undefined) complain('unit', say('field.required'));
      const taken = others.find((other) => parseOutputs(other).some((theirs) => theirs.unit === unit));
      if (unit !== undefined && taken) complain('unit', say('output.unit-taken', { unit, name: taken.name }));
      const numbers = recipes.map(({ number }) => number);
      const twice = numbers.find((number, position) => numbers.indexOf(number) !== position);
      if (twice !== undefined) complain('recipes', say('output.recipe-twice', { number: twice }));
    }
  }
  if (problems.length > 0) throw fieldErrors('invalid-request', problems);
}
