import type { Item, Preprocessing, Target } from '../../../../src/client/shapes.ts';
import type { StepInfo } from '../../api/queries.ts';

export type StepConfig = Readonly<Record<string, unknown>>;

/** A step while it is edited. */
export interface DraftStep {
  readonly key: number;
  readonly name: string;
  readonly active: boolean;
  readonly config: StepConfig;
}

/** The steps in the editor, and the functions that change them. */
export interface StepEditor {
  readonly steps: readonly DraftStep[];
  /** The item that shows the effect of the steps. */
  readonly sample: Item | undefined;
  /** The step with its fields open. */
  readonly openKey: number | undefined;
  edit(steps: readonly DraftStep[]): void;
  open(key: number | undefined): void;
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

/** A new step: the example of the catalogue. A reference becomes the shown item. */
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

const drafts = new Map<string, readonly DraftStep[]>();

// Once another client saves steps, the draft no longer applies.
const keyOf = ({ target_id, preprocessing }: Target): string => JSON.stringify([target_id, preprocessing]);

/** Unsaved steps stay in this tab while another screen is shown. */
export const keptDrafts = {
  find: (target: Target): readonly DraftStep[] | undefined => drafts.get(keyOf(target)),
  keep: (target: Target, steps: readonly DraftStep[]): void => void drafts.set(keyOf(target), steps),
  forget: (target: Target): void => void drafts.delete(keyOf(target)),
};
