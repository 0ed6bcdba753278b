import { type EngineCode, say } from './engine-messages.ts';
import type { Message } from './message.ts';

/** What a schema checker reports of a value. Ajv and TypeBox both report in these terms. */
export interface SchemaError {
  readonly keyword: string;
  /** A JSON pointer; empty for the whole value. */
  readonly instancePath: string;
  readonly params: object;
  /** The value that failed. */
  readonly data?: unknown;
  /** Names of the fields that are allowed where `keyword` is about an unknown one. */
  readonly known?: readonly string[];
}

export interface SchemaProblem {
  /** Path of the field with dots; empty for the whole value. */
  readonly key: string;
  readonly problem: Message;
}

/** Puts the errors of a schema checker into words. For a union without a match it names the types. */
export function describeSchemaErrors(errors: readonly SchemaError[]): SchemaProblem[] {
  const byKey = new Map<string, SchemaError[]>();
  for (const error of errors) for (const key of keysOf(error)) byKey.set(key, [...(byKey.get(key) ?? []), error]);
  return [...byKey].flatMap(([key, all]) => describeField(all).map((problem) => ({ key, problem })));
}

/** The fields that an error is about: a missing or unknown field is named by its own path. */
function keysOf({ instancePath, params, keyword }: SchemaError): string[] {
  const path = instancePath.slice(1).replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~');
  const { missingProperty, requiredProperties, additionalProperty, additionalProperties } = params as Record<
    string,
    string | string[] | undefined
  >;
  if (keyword !== 'required' && keyword !== 'additionalProperties') return [path];
  const names = [missingProperty ?? requiredProperties ?? additionalProperty ?? additionalProperties ?? []].flat();
  return names.map((name) => (path === '' ? name : `${path}.${name}`));
}

const unions = ['anyOf', 'oneOf', 'if'];

function describeField(errors: readonly SchemaError[]): Message[] {
  const types = errors.flatMap(({ keyword, params }) =>
    keyword === 'type' ? [(params as { type: string | string[] }).type].flat() : [],
  );
  const others = errors.filter(({ keyword }) => keyword !== 'type' && !unions.includes(keyword));
  const messages = distinct(others.map(describeError));
  // In a union with null, a value of the other type fails for its own reason.
  const wanted = messages.length > 0 ? types.filter((type) => type !== 'null') : types;
  const [first, ...rest] = [...new Set(wanted)].map((type) => say(`type.${type}` as 'type.null'));
  if (first) {
    const alternatives = rest.reduce((one, other) => say('type.or', { one, other }), first);
    messages.push(say('field.type', { types: alternatives, received: showValue(errors[0]?.data) }));
  }
  if (messages.length > 0) return messages;
  return [say('field.invalid', { received: showValue(errors[0]?.data) })];
}

const limits: Readonly<Record<string, EngineCode & `field.m${string}`>> = {
  minimum: 'field.minimum',
  maximum: 'field.maximum',
  minLength: 'field.min-length',
  maxLength: 'field.max-length',
  minItems: 'field.min-items',
  maxItems: 'field.max-items',
};

function describeError({ keyword, params, data, known }: SchemaError): Message {
  const received = showValue(data);
  const { limit, allowedValues, allowedValue, format } = params as {
    limit?: number;
    allowedValues?: unknown[];
    allowedValue?: unknown;
    format?: string;
  };
  if (keyword === 'required') return say('field.required');
  // TypeBox tells an unknown field by a schema that nothing passes.
  if (keyword === 'additionalProperties' || keyword === 'boolean')
    return known ? say('field.unknown-of', { known }) : say('field.unknown');
  const code = limits[keyword];
  if (code !== undefined && limit !== undefined) return say(code, { limit, received });
  if (keyword === 'exclusiveMinimum' && limit !== undefined) return say('field.above', { limit, received });
  if (keyword === 'exclusiveMaximum' && limit !== undefined) return say('field.below', { limit, received });
  if (keyword === 'enum' || keyword === 'const')
    return say('field.one-of', { allowed: (allowedValues ?? [allowedValue]).map(showValue), received });
  if (keyword === 'uniqueItems') return say('field.unique');
  if (format === 'date-time') return say('field.time', { received });
  return say('field.invalid', { received });
}

function distinct(messages: readonly Message[]): Message[] {
  return [...new Map(messages.map((message) => [JSON.stringify(message), message])).values()];
}

/** A value as it was received, shortened. */
export function showValue(value: unknown): string {
  const text = JSON.stringify(value) ?? 'null';
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}
