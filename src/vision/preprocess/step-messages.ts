import Value from 'typebox/value';
import type { StepConfig, StepDefinition, StepIssue } from './step.ts';

type SchemaError = ReturnType<typeof Value.Errors>[number];

/** Turns a schema's complaint into field, value and remedy. */
export function describeSchemaError(step: StepDefinition, config: StepConfig, error: SchemaError): StepIssue {
  const path = error.instancePath;
  const where = path.slice(1).replaceAll('/', '.');
  const say = (field: string, text: string): StepIssue => ({
    field: field || 'config',
    message: `${step.name}: ${text}`,
  });
  // A field that the schema does not know is told by its own path first, as a schema that nothing passes.
  if (error.keyword === 'boolean') return say(where, `there is no field "${where}"; ${knownFields(step, where)}`);
  if (error.keyword === 'additionalProperties') {
    const unknown = error.params.additionalProperties.map((name) => (where ? `${where}.${name}` : name));
    return say(
      unknown[0] ?? where,
      `there is no field "${unknown.join('", "')}"; ${knownFields(step, unknown[0] ?? '')}`,
    );
  }
  if (error.keyword === 'required') {
    const missing = error.params.requiredProperties.map((name) => (where ? `${where}.${name}` : name));
    return say(
      missing[0] ?? where,
      `"${missing.join('", "')}" is missing; an example is ${JSON.stringify(step.example)}`,
    );
  }
  return say(where, `${where} is ${show(Value.Pointer.Get(config, path))}; ${remedyFor(error)}`);
}

function knownFields(step: StepDefinition, unknown: string): string {
  return unknown.includes('.') ? 'leave it out' : `its fields are ${Object.keys(step.schema.properties).join(', ')}`;
}

function remedyFor(error: SchemaError): string {
  switch (error.keyword) {
    case 'minimum':
    case 'maximum':
    case 'exclusiveMinimum':
    case 'exclusiveMaximum': {
      const words = { '>=': 'at least', '<=': 'at most', '>': 'more than', '<': 'less than' };
      return `it must be ${words[error.params.comparison]} ${error.params.limit}`;
    }
    case 'enum':
      return `it must be one of ${error.params.allowedValues.map((value) => JSON.stringify(value)).join(', ')}`;
    case 'type':
      return `it must be of type ${[error.params.type].flat().join(' or ')}`;
    case 'minItems':
    case 'maxItems':
      return `it must have at ${error.keyword === 'minItems' ? 'least' : 'most'} ${error.params.limit} entries`;
    case 'minLength':
    case 'maxLength':
      return `it must have at ${error.keyword === 'minLength' ? 'least' : 'most'} ${error.params.limit} characters`;
    default:
      return error.message;
  }
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
