import Value from 'typebox/value';
import { say } from '../engine-messages.ts';
import { describeSchemaErrors } from '../schema-problems.ts';
import type { StepConfig, StepDefinition, StepIssue } from './step.ts';
import { findStep, unknownStep } from './steps.ts';

export type StepValidation =
  | { readonly ok: true; readonly config: StepConfig }
  | { readonly ok: false; readonly issues: readonly [StepIssue, ...StepIssue[]] };

/**
 * Checks a step as it comes from a person.
 * @param configJson a JSON object as a string; null or blank: all defaults.
 * @returns the complete config, or every problem with field, value and remedy.
 */
export function validateStep(name: string, configJson: string | null): StepValidation {
  const step = findStep(name);
  if (!step) return { ok: false, issues: [{ field: 'name', message: unknownStep(name) }] };
  const parsed = parseConfig(step, configJson);
  return 'issue' in parsed ? { ok: false, issues: [parsed.issue] } : validateConfig(step, parsed.config);
}

/** Checks a config that is already an object. */
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
