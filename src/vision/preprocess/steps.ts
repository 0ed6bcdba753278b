import Value from 'typebox/value';
import { say } from '../engine-messages.ts';
import type { Message } from '../message.ts';
import { describeSchemaErrors } from '../schema-problems.ts';
import type { PreprocessingStep } from '../types.ts';
import { VisionError } from '../vision-error.ts';
import type { StepConfig, StepDefinition, StepIssue } from './step.ts';
import { align } from './steps/align.ts';
import { gamma, grayscale, whiteBalance } from './steps/colour.ts';
import { equalize } from './steps/equalize.ts';
import { crop, resize, rotate } from './steps/geometry.ts';
import { mask } from './steps/mask.ts';
import { denoise, sharpen } from './steps/sharpness.ts';

/** All preprocessing steps, in the order in which people are shown them. */
export const steps: readonly StepDefinition[] = [
  crop,
  mask,
  resize,
  rotate,
  align,
  grayscale,
  equalize,
  denoise,
  sharpen,
  gamma,
  whiteBalance,
];

const findStep = (name: string): StepDefinition | undefined => steps.find((step) => step.name === name);

/** @throws VisionError `invalid_value` for a name that no step has. */
export function getStep(name: string): StepDefinition {
  const step = findStep(name);
  if (!step) throw new VisionError('invalid_value', unknownStep(name));
  return step;
}

const unknownStep = (name: string): Message => say('step.unknown', { name, known: steps.map((step) => step.name) });

/** Keys of all reference images that the steps need, each once. */
export function findReferences(steps: readonly PreprocessingStep[]): string[] {
  return [...new Set(steps.flatMap(({ name, config }) => getStep(name).references(config)))];
}

export type StepValidation =
  | { readonly ok: true; readonly config: StepConfig }
  | { readonly ok: false; readonly issues: readonly [StepIssue, ...StepIssue[]] };

/** The complete config of a step, or every problem. @param configJson a JSON object; null or blank: all defaults */
export function validateStep(name: string, configJson: string | null): StepValidation {
  const step = findStep(name);
  if (!step) return { ok: false, issues: [{ field: 'name', message: unknownStep(name) }] };
  const parsed = parseConfig(step, configJson);
  return 'issue' in parsed ? { ok: false, issues: [parsed.issue] } : validateConfig(step, parsed.config);
}

export function validateConfig(step: StepDefinition, given: StepConfig): StepValidation {
  const config = Value.Default(step.schema, structuredClone(given)) as StepConfig;
  const errors = Value.Errors(step.schema, config).map((error) => {
    const { keyword, instancePath: path } = error;
    const place = keyword === 'boolean' ? path.slice(0, path.lastIndexOf('/')) : path;
    const known = place === '' ? { known: Object.keys(step.schema.properties) } : {};
    return { ...error, data: Value.Pointer.Get(config, path), ...known };
  });
  const schemaIssues = describeSchemaErrors(errors).map(({ key, problem }): StepIssue => {
    const field = key || 'config';
    return { field, message: say('step.problem', { step: step.name, field, problem }) };
  });
  const [first, ...rest] = schemaIssues.length > 0 ? schemaIssues : step.check(config);
  return first ? { ok: false, issues: [first, ...rest] } : { ok: true, config };
}

function parseConfig(step: StepDefinition, text: string | null): { config: StepConfig } | { issue: StepIssue } {
  if (text === null || text.trim() === '') return { config: {} };
  const example = JSON.stringify(step.example);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const details = error instanceof Error ? error.message : String(error);
    const message = say('step.config-no-json', { step: step.name, details, example });
    return { issue: { field: 'config', message } };
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { config: value as StepConfig };
  const received = text.length > 60 ? `${text.slice(0, 60)}…` : text;
  return { issue: { field: 'config', message: say('step.config', { step: step.name, received, example }) } };
}
