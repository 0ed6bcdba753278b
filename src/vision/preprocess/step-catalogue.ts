import type { TObject } from 'typebox';
import type { StepConfig } from './step.ts';
import { steps } from './steps.ts';

/** What a person needs to set a step up. */
export interface StepCatalogueEntry {
  readonly name: string;
  readonly title: string;
  readonly help: string;
  /** JSON Schema of `config`. */
  readonly schema: TObject;
  readonly example: StepConfig;
}

export const stepCatalogue: readonly StepCatalogueEntry[] = steps.map(({ name, title, help, schema, example }) => ({
  name,
  title,
  help,
  schema,
  example,
}));
