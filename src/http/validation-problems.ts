import type { FastifySchemaValidationError } from 'fastify/types/schema.js';
import type { FieldProblem } from '../errors.ts';

/** Ajv with `verbose` also hands over the value that failed. */
type ValidationError = FastifySchemaValidationError & { data?: unknown };

/** One entry per field: what is wrong, the value received, what to do. */
export function describeValidation(errors: readonly ValidationError[], context: string): FieldProblem[] {
  const byKey = new Map<string, Set<string>>();
  for (const error of errors) {
    const { key, text } = describe(error, context);
    byKey.set(key, (byKey.get(key) ?? new Set()).add(text));
  }
  return [...byKey].slice(0, 50).map(([key, texts]) => ({ key, errors: [...texts].slice(0, 10) }));
}

function describe(error: ValidationError, context: string): { key: string; text: string } {
  const path = error.instancePath.split('/').slice(1).map(unescapePointer).join('.');
  const inside = (name: unknown): string => (path ? `${path}.${String(name)}` : String(name));
  const params = error.params as Record<string, unknown>;
  switch (error.keyword) {
    case 'required':
      return { key: inside(params['missingProperty']), text: 'is required. Send it.' };
    case 'additionalProperties':
      return { key: inside(params['additionalProperty']), text: 'is not a field of this operation. Remove it.' };
    case 'type':
      return { key: path || context, text: `must be ${String(params['type'])}, received ${show(error.data)}.` };
    case 'enum':
      return {
        key: path || context,
        text: `must be one of ${(params['allowedValues'] as unknown[]).map(show).join(', ')}, received ${show(error.data)}.`,
      };
    default:
      return { key: path || context, text: `${error.message ?? 'is not valid'}, received ${show(error.data)}.` };
  }
}

function unescapePointer(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~');
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 80 ? `${text.slice(0, 77)}…` : text;
}
