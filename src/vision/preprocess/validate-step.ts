import Value from 'typebox/value';
import type { StepConfig, StepDefinition, StepIssue } from './step.ts';
import { describeSchemaError } from './step-messages.ts';
import { findStep, unknownStep } from './steps.ts';

export type StepValidation =
  | { readonly ok: true; readonly config: StepConfig }
  | { readonly ok: false; readonly issues: readonly StepIssue[] };

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
  const schemaIssues = Value.Errors(step.schema, config).map((error) => describeSchemaError(step, config, error));
  // An unknown field is told twice: by its own name and by the object it is in.
  const issues = schemaIssues.filter(
    (issue, index) => schemaIssues.findIndex((other) => other.field === issue.field) === index,
  );
  const all = issues.length > 0 ? issues : step.check(config);
  return all.length > 0 ? { ok: false, issues: all } : { ok: true, config };
}

function parseConfig(step: StepDefinition, text: string | null): { config: StepConfig } | { issue: StepIssue } {
  if (text === null || text.trim() === '') return { config: {} };
  const wanted = `send a JSON object as a string, such as ${JSON.stringify(step.example)}`;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { issue: { field: 'config', message: `${step.name}: config is not JSON (${reason}); ${wanted}` } };
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { config: value as StepConfig };
  return { issue: { field: 'config', message: `${step.name}: config is ${shorten(text)}; ${wanted}` } };
}

function shorten(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
