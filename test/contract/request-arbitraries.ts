import fc, { type Arbitrary } from 'fast-check';
import type { Json } from './compare-openapi.ts';

/** Ids that exist, by the name of the field that takes them. */
export type KnownIds = Readonly<Record<string, readonly string[]>>;

export interface ApiRequest {
  readonly method: string;
  /** As the OpenAPI document writes it. */
  readonly template: string;
  readonly path: string;
  readonly query: readonly (readonly [string, string])[];
  readonly body:
    | { readonly kind: 'none' }
    | { readonly kind: 'json'; readonly value: unknown }
    | { readonly kind: 'raw'; readonly contentType: string; readonly text: string }
    | { readonly kind: 'form'; readonly fields: readonly (readonly [string, string | Uint8Array])[] };
}

interface Context {
  readonly served: Json;
  readonly ids: KnownIds;
}

/** Requests of one operation: valid ones, and ones with something wrong in path, query or body. */
export function requestsOf(method: string, template: string, operation: Json, context: Context): Arbitrary<ApiRequest> {
  const parameters = (operation['parameters'] ?? []) as Json[];
  const inPath = parameters.filter((parameter) => parameter['in'] === 'path');
  const inQuery = parameters.filter((parameter) => parameter['in'] === 'query');
  const path = fc
    .tuple(...inPath.map((one) => pathValue(one, method, context)))
    .map((values) =>
      inPath.reduce(
        (text, one, index) => text.replace(`{${String(one['name'])}}`, encodeURIComponent(values[index] ?? '')),
        template,
      ),
    );
  const query = fc
    .tuple(...inQuery.map((one) => queryValues(one, method, context)), strayQuery)
    .map((lists) => lists.flat() as [string, string][]);
  return fc
    .tuple(path, query, bodyOf(operation, method, context))
    .map(([actualPath, actualQuery, body]) => ({ method, template, path: actualPath, query: actualQuery, body }));
}

const strayQuery: Arbitrary<[string, string][]> = fc.oneof(
  { weight: 19, arbitrary: fc.constant<[string, string][]>([]) },
  { weight: 1, arbitrary: fc.tuple(fc.string({ minLength: 1, maxLength: 8 }), fc.string()).map((pair) => [pair]) },
);

function pathValue(parameter: Json, method: string, context: Context): Arbitrary<string> {
  const name = String(parameter['name']);
  const unusual = fc.oneof(
    fc.string({ minLength: 1, maxLength: 40 }),
    fc.constantFrom('0', '-1', '999999999999', 'active', '%00', '../x'),
  );
  return fc.oneof(
    {
      weight: 3,
      arbitrary: named(name, method, context) ?? valueFor(parameter['schema'], name, method, context).map(String),
    },
    { weight: 1, arbitrary: unusual.filter((text) => text !== '.' && text !== '..') },
  );
}

function queryValues(parameter: Json, method: string, context: Context): Arbitrary<[string, string][]> {
  const name = String(parameter['name']);
  const valid = valueFor(parameter['schema'], name, method, context);
  const good = fc
    .tuple(valid, fc.constantFrom('repeat', 'bracket', 'comma'))
    .map(([value, form]): [string, string][] => {
      if (!Array.isArray(value)) return [[name, String(value)]];
      if (form === 'comma') return [[name, value.map(String).join(',')]];
      return value.map((one): [string, string] => [form === 'bracket' ? `${name}[]` : name, String(one)]);
    });
  const bad = fc
    .oneof(fc.string(), fc.constantFrom('', 'NaN', '-1', '1e99', '0', 'null', '\u0000'))
    .map((text): [string, string][] => [[name, text]]);
  const absent = fc.constant<[string, string][]>([]);
  const weight = parameter['required'] === true ? 1 : 6;
  return fc.oneof({ weight: 8, arbitrary: good }, { weight: 1, arbitrary: bad }, { weight, arbitrary: absent });
}

function bodyOf(operation: Json, method: string, context: Context): Arbitrary<ApiRequest['body']> {
  const content = Object(operation['requestBody']).content as Json | undefined;
  const none = fc.constant<ApiRequest['body']>({ kind: 'none' });
  if (!content) return none;
  const choices: { weight: number; arbitrary: Arbitrary<ApiRequest['body']> }[] = [{ weight: 1, arbitrary: none }];
  const json = Object(content['application/json']).schema as Json | undefined;
  if (json) {
    const valid = valueFor(json, '', method, context);
    const value = fc.oneof(
      { weight: 3, arbitrary: valid },
      { weight: 2, arbitrary: spoilt(valid) },
      { weight: 1, arbitrary: fc.jsonValue() },
    );
    choices.push({ weight: 12, arbitrary: value.map((one) => ({ kind: 'json', value: one })) });
    const raw = fc.record({
      kind: fc.constant('raw' as const),
      contentType: fc.constantFrom(
        'application/json',
        'text/plain',
        'application/xml',
        'application/x-www-form-urlencoded',
      ),
      text: fc.oneof(fc.string(), fc.constantFrom('{', '{"a":', '[]', 'null', '{"__proto__":{"a":1}}')),
    });
    choices.push({ weight: 1, arbitrary: raw });
  }
  const form = Object(content['multipart/form-data']).schema as Json | undefined;
  if (form) choices.push({ weight: 8, arbitrary: formOf(form, method, context) });
  return fc.oneof(...choices);
}

function formOf(schema: Json, method: string, context: Context): Arbitrary<ApiRequest['body']> {
  const fields = Object.entries((schema['properties'] ?? {}) as Record<string, Json>).map(([name, property]) => {
    const isFile = property['format'] === 'binary' || Object(property['items']).format === 'binary';
    const file = fc.oneof(fc.uint8Array({ maxLength: 200 }), fc.constant(tinyPng));
    const text = fc.oneof(
      named(name, method, context) ?? fc.string(),
      fc.constantFrom('true', 'false', '', '[]', '[{"name":"gamma"}]'),
    );
    const value: Arbitrary<string | Uint8Array> = isFile ? file : text;
    const given = value.map((one): [string, string | Uint8Array][] => [[name, one]]);
    return fc.oneof(
      { weight: 4, arbitrary: given },
      { weight: 1, arbitrary: fc.constant<[string, string | Uint8Array][]>([]) },
    );
  });
  const stray = fc.oneof(
    { weight: 9, arbitrary: fc.constant<[string, string][]>([]) },
    {
      weight: 1,
      arbitrary: fc.string({ minLength: 1, maxLength: 10 }).map((name): [string, string][] => [[name, 'x']]),
    },
  );
  return fc.tuple(...fields, stray).map((lists) => ({ kind: 'form', fields: lists.flat() }));
}

/** A value with one thing wrong: a field dropped, added, or of another type. */
function spoilt(valid: Arbitrary<unknown>): Arbitrary<unknown> {
  const mischief = fc.oneof(
    fc.jsonValue(),
    fc.constantFrom<unknown>(null, -1, 1e308, '', '\u0000', 2 ** 53, [], {}, '𝒳'.repeat(300)),
  );
  return fc
    .tuple(valid, fc.nat(), fc.constantFrom('drop', 'add', 'replace'), mischief)
    .map(([value, at, how, other]) => {
      if (typeof value !== 'object' || value === null) return other;
      const copy = structuredClone(value) as Record<string, unknown>;
      const keys = Object.keys(copy);
      const key = keys[at % Math.max(1, keys.length)] ?? 'x';
      if (how === 'drop') delete copy[key];
      else copy[how === 'add' ? 'surprise' : key] = other;
      return copy;
    });
}

function named(name: string, method: string, { ids }: Context): Arbitrary<string> | undefined {
  const known = ids[name.replace(/s$/, '')];
  if (!known) return undefined;
  const unknown = fc.constantFrom('01990000-0000-7000-8000-000000000000', 'nobody', '123456');
  // What deletes gets ids that are not there, or soon all others would meet nothing but 404.
  if (method === 'delete') return unknown;
  return fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...known) }, { weight: 1, arbitrary: unknown });
}

function valueFor(schema: unknown, name: string, method: string, context: Context): Arbitrary<unknown> {
  const node = resolve(schema, context.served);
  if (Array.isArray(node['enum'])) return fc.constantFrom(...node['enum']);
  if ('const' in node) return fc.constant(node['const']);
  if (Array.isArray(node['anyOf']))
    return fc.oneof(...node['anyOf'].map((one) => valueFor(one, name, method, context)));
  const { type, minimum, maximum, minItems, maxItems, items } = node as Record<string, number> & {
    type?: string;
    items?: Json;
  };
  switch (type) {
    case 'string':
      return named(name, method, context) ?? textOf(node, name);
    case 'integer':
      return fc.oneof(
        fc.integer({ min: minimum ?? -100, max: Math.min(maximum ?? 100, (minimum ?? 0) + 300) }),
        fc.constant(maximum ?? 1),
      );
    case 'number':
      return fc.double({ min: minimum ?? -1000, max: maximum ?? 1000, noNaN: true });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(valueFor(items, name, method, context), {
        minLength: minItems ?? 0,
        maxLength: Math.min(maxItems ?? 4, 4),
      });
    case 'object':
      return objectOf(node, method, context);
    default:
      return fc.jsonValue();
  }
}

function textOf(node: Json, name: string): Arbitrary<string> {
  if (node['format'] === 'date-time')
    return fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) }).map((date) => date.toISOString());
  if (name === 'callback_url') return fc.constantFrom('http://127.0.0.1:9/hook', '', 'http://10.0.0.1/', 'nonsense');
  if (name === 'ignore_outer') return fc.constantFrom('none', '5%', '12px 3px', '60%', 'x');
  if (name === 'name')
    return fc.oneof(fc.string({ minLength: 1, maxLength: 30 }), fc.constantFrom('gamma', 'crop', 'align', 'mask'));
  if (name === 'config')
    return fc.oneof(
      fc.string(),
      fc.constantFrom('{}', '{"gamma":2}', '{"reference":"x"}', '[]', '{"width":50,"height":50}'),
    );
  if (typeof node['pattern'] === 'string') return fc.stringMatching(new RegExp(node['pattern']));
  const minLength = Number(node['minLength'] ?? 0);
  return fc.string({
    minLength,
    maxLength: Math.max(minLength, Math.min(Number(node['maxLength'] ?? 30), 30)),
    unit: 'binary',
  });
}

function objectOf(node: Json, method: string, context: Context): Arbitrary<unknown> {
  const required = (node['required'] ?? []) as string[];
  const model = Object.fromEntries(
    Object.entries((node['properties'] ?? {}) as Json).map(([key, property]) => [
      key,
      valueFor(property, key, method, context),
    ]),
  );
  return fc.record(model, { requiredKeys: required.filter((key) => key in model), noNullPrototype: true });
}

function resolve(schema: unknown, served: Json): Json {
  const reference = Object(schema).$ref as string | undefined;
  if (reference === undefined) return Object(schema) as Json;
  return reference
    .split('/')
    .slice(1)
    .reduce<unknown>((current, key) => Object(current)[key], served) as Json;
}

/** One grey pixel. */
export const tinyPng = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mNoAAAAggCBd81ytgAAAABJRU5ErkJggg==',
  'base64',
);
