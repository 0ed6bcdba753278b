import type { DocumentedField, DocumentedOperation, InterfaceDocument } from './interface-document.ts';

export type Json = { readonly [key: string]: unknown };

/** Where a served OpenAPI document says something else than the interface document; empty where it does not. */
export function compareResource(name: string, fields: readonly DocumentedField[], served: Json): string[] {
  const schema = schemasOf(served)[name];
  if (!schema) return [`there is no schema ${name}`];
  return compareFields(name, fields, schema, served);
}

export function compareOperation(operation: DocumentedOperation, served: Json): string[] {
  const where = `${operation.method.toUpperCase()} ${operation.path}`;
  const found = get(served, 'paths', operation.path, operation.method) as Json | undefined;
  if (!found) return [`${where} is not served`];
  const differences: string[] = [];
  const expectSame = (what: string, documented: unknown, actual: unknown): void => {
    if (documented !== actual)
      differences.push(`${where}: ${what} is ${String(actual)}, documented ${String(documented)}`);
  };
  expectSame('operationId', toCamelCase(operation.name), found['operationId']);
  const parameters = (found['parameters'] ?? []) as Json[];
  for (const [place, fields] of [
    ['path', operation.pathFields],
    ['query', operation.queryFields],
  ] as const) {
    for (const field of fields) {
      const parameter = parameters.find((candidate) => candidate['in'] === place && candidate['name'] === field.name);
      if (!parameter) {
        differences.push(`${where}: ${place} ${field.name} is missing`);
        continue;
      }
      expectSame(`type of ${field.name}`, field.type, typeOf(parameter['schema'], served));
      expectSame(`${field.name} required`, field.required, parameter['required'] ?? false);
    }
  }
  differences.push(...compareBody(where, operation, found, served));
  const responses = (found['responses'] ?? {}) as Json;
  for (const status of [...operation.statuses.map(String), 'default']) {
    const schema = get(responses, status, 'content', 'application/json', 'schema');
    expectSame(`body of ${status}`, 'BaseError', typeOf(schema, served));
  }
  if (operation.success !== undefined) {
    const success = responses[String(operation.success)] as Json | undefined;
    if (!success) differences.push(`${where}: ${operation.success} is not among its answers`);
    else if (operation.data !== undefined) {
      const data = get(success, 'content', 'application/json', 'schema', 'properties', 'data');
      expectSame('data', operation.data.replace(/^\[(\w+)\]$/, 'array of $1'), typeOf(data, served));
    }
  }
  return differences;
}

export function compareAll(documented: InterfaceDocument, served: Json): string[] {
  return [
    ...[...documented.resources].flatMap(([name, fields]) => compareResource(name, fields, served)),
    ...documented.operations.flatMap((operation) => compareOperation(operation, served)),
  ];
}

function compareBody(where: string, { body }: DocumentedOperation, found: Json, served: Json): string[] {
  const content = (get(found, 'requestBody', 'content') ?? {}) as Json;
  if (!body) return Object.keys(content).length > 0 ? [`${where}: takes a body, documented none`] : [];
  const schema = get(content, body.contentType, 'schema');
  if (!schema) return [`${where}: takes no ${body.contentType}`];
  return compareFields(where, body.fields, resolve(schema, served), served);
}

function compareFields(where: string, fields: readonly DocumentedField[], schema: Json, served: Json): string[] {
  const properties = (schema['properties'] ?? {}) as Json;
  const required = (schema['required'] ?? []) as string[];
  return fields.flatMap(({ name, type, required: isRequired }) => {
    const property = properties[name];
    if (property === undefined) return [`${where}: field ${name} is missing`];
    const differences: string[] = [];
    const actual = typeOf(property, served);
    if (type !== undefined && type !== '' && !sameType(type, actual)) {
      differences.push(`${where}.${name} is ${actual}, documented ${type}`);
    }
    if (isRequired && !required.includes(name)) differences.push(`${where}.${name} is optional, documented required`);
    return differences;
  });
}

/** A field that may be null in the document may always have a value, too; objects in arrays are compared by their name only. */
function sameType(documented: string, actual: string): boolean {
  if (documented.startsWith('array of `{')) return actual.startsWith('array of ');
  return documented === actual || (documented === 'binary zip file' && actual === 'string');
}

/** A schema in the words of the interface document. */
function typeOf(schema: unknown, served: Json): string {
  if (typeof schema !== 'object' || schema === null) return 'nothing';
  const node = schema as Json;
  if (typeof node['$ref'] === 'string') return node['$ref'].split('/').at(-1) ?? '';
  if (Array.isArray(node['anyOf'])) {
    const kinds = node['anyOf'].map((one) => typeOf(one, served));
    const [kind = 'nothing'] = kinds.filter((one) => one !== 'null');
    return kinds.includes('null') ? `${kind}?` : kind;
  }
  if (node['type'] === 'array') return `array of ${typeOf(node['items'], served)}`;
  if (node['type'] === 'integer') return node['format'] === 'int32' ? 'int32' : 'integer';
  if (node['format'] === 'date-time') return 'date-time';
  return String(node['type']);
}

function resolve(schema: unknown, served: Json): Json {
  const name = Object(schema).$ref?.split('/').at(-1);
  return (name === undefined ? schema : schemasOf(served)[name]) as Json;
}

function schemasOf(served: Json): Record<string, Json> {
  return (get(served, 'components', 'schemas') ?? {}) as Record<string, Json>;
}

function get(node: unknown, ...path: string[]): unknown {
  return path.reduce<unknown>((current, key) => Object(current)[key], node);
}

/** `Get Algorithms` and `getAlgorithms` name the same operation. */
function toCamelCase(name: string): string {
  const words = name.split(' ');
  return words.map((word, index) => (index === 0 ? word.charAt(0).toLowerCase() + word.slice(1) : word)).join('');
}
