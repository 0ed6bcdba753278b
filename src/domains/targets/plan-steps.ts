import { type FieldProblem, fieldErrors } from '../../errors.ts';
import { type Message, say } from '../../messages/message.ts';
import { findReferences } from '../../vision/preprocess/steps.ts';
import { validateStep } from '../../vision/preprocess/validate-step.ts';
import type { PreprocessingStep } from '../../vision/types.ts';
import type { PreprocessingInput } from './targets.schemas.ts';

export interface PlannedSteps {
  /** Active ones, configs complete. */
  readonly steps: PreprocessingStep[];
  /** Blobs of the reference images, by the item id that the steps name. */
  readonly references: Record<string, string>;
}

/** The blob of the first image of an item; undefined where there is no such item. */
export type FindImageBlob = (itemId: string) => Promise<string | undefined>;

/**
 * Checks steps as they come from a person; inactive ones are checked too.
 * @throws AppError `invalid-request` naming each bad field.
 */
export async function planSteps(given: readonly PreprocessingInput[], findBlob: FindImageBlob): Promise<PlannedSteps> {
  const problems: FieldProblem[] = [];
  const steps: PreprocessingStep[] = [];
  const references: Record<string, string> = {};
  for (const [index, { name, config, active }] of given.entries()) {
    const complain = (field: string, error: Message) =>
      problems.push({ key: `preprocessing.${index}.${field}`, errors: [error] });
    const validated = validateStep(name, config ?? null);
    if (!validated.ok) {
      for (const { field, message } of validated.issues) complain(fieldOf(field), message);
      continue;
    }
    const step = { name, config: validated.config };
    for (const itemId of findReferences([step])) {
      const blob = references[itemId] ?? (await findBlob(itemId));
      if (blob === undefined) complain('config.reference', say('target.no-reference', { item: itemId }));
      else references[itemId] = blob;
    }
    if (active !== false) steps.push(step);
  }
  if (problems.length === 0) return { steps, references };
  throw fieldErrors('invalid-request', problems);
}

function fieldOf(field: string): string {
  return field === 'name' || field === 'config' ? field : `config.${field}`;
}
