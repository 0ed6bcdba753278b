import type { Preprocessing } from '../../../../src/client/shapes.ts';
import type { ConfigSchema, StepInfo } from '../../api/queries.ts';

export type StepConfig = Readonly<Record<string, unknown>>;

/** A step while it is edited. */
export interface DraftStep {
  readonly key: number;
  readonly name: string;
  readonly active: boolean;
  readonly config: StepConfig;
}

let lastKey = 0;

export function toDraft(steps: readonly Preprocessing[]): DraftStep[] {
  return steps.map(({ name, active, config }) => ({
    key: ++lastKey,
    name,
    active: active !== false,
    config: parseConfig(config),
  }));
}

function parseConfig(config: string | null | undefined): StepConfig {
  try {
    return JSON.parse(config || '{}') as StepConfig;
  } catch {
    return {};
  }
}

export function toPreprocessing(steps: readonly DraftStep[]): Preprocessing[] {
  return steps.map(({ name, active, config }) => ({ name, active, config: JSON.stringify(config) }));
}

/** A step as it is proposed: the example of the catalogue, with the item shown where a reference is asked for. */
export function newStep(info: StepInfo, shownItemId: string | undefined): DraftStep {
  const example = parseConfig(info.example);
  const config = 'reference' in example && shownItemId ? { ...example, reference: shownItemId } : example;
  return { key: ++lastKey, name: info.name, active: true, config };
}

export function moveStep(steps: readonly DraftStep[], from: number, to: number): DraftStep[] {
  const moved = [...steps];
  const [step] = moved.splice(from, 1);
  if (step) moved.splice(Math.max(0, Math.min(moved.length, to)), 0, step);
  return moved;
}

/** What a field holds when the config does not say. */
export function fieldValue(config: StepConfig, name: string, schema: ConfigSchema): unknown {
  return config[name] ?? schema.default;
}
