import { describeSettings } from '../src/config.ts';
import { mayAct, type Role, roles } from '../src/roles.ts';
import type { StepDefinition } from '../src/vision/preprocess/step.ts';

interface FieldSchema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly default?: unknown;
  readonly description?: string;
}

/** The table of a step's fields, and its example. */
function describeFields(entry: StepDefinition): string {
  const required = new Set<string>(entry.schema.required ?? []);
  const rows = Object.entries(entry.schema.properties).map(([name, property]) => {
    const field = property as FieldSchema;
    const fallback = field.default === undefined ? (required.has(name) ? 'required' : '–') : code(field.default);
    return `| \`${name}\` | ${valuesOf(field)} | ${fallback} | ${field.description ?? ''} |`;
  });
  return [
    '| Field | Values | Default | Meaning |',
    '|---|---|---|---|',
    ...rows,
    '',
    `Example: ${code(entry.example)}`,
  ].join('\n');
}

function valuesOf(field: FieldSchema): string {
  if (field.enum) return field.enum.map(code).join(', ');
  const kind = field.type === 'object' ? 'object' : (field.type ?? 'any');
  if (field.exclusiveMinimum !== undefined) return `${kind} above ${field.exclusiveMinimum}`;
  if (field.minimum !== undefined && field.maximum !== undefined)
    return `${kind}, ${field.minimum} to ${field.maximum}`;
  if (field.minimum !== undefined) return `${kind} from ${field.minimum}`;
  if (field.minItems !== undefined) return `${kind} of ${field.minItems} to ${field.maxItems}`;
  return kind;
}

function code(value: unknown): string {
  return `\`${JSON.stringify(value)}\``;
}

/** docs/operations.md with the settings that the service reads. */
export function fillSettings(document: string): string {
  const rows = describeSettings().map(
    ({ name, default: value, description }) => `| \`${name}\` | ${value && `\`${value}\``} | ${description} |`,
  );
  const table = ['| Name | Default | What |', '|---|---|---|', ...rows].join('\n');
  return fill(document, '<!-- settings:begin -->', table, '<!-- settings:end -->');
}

interface OperationOfDocument {
  readonly summary?: string;
  readonly operationId?: string;
  readonly 'x-role'?: Role | 'open';
}

/** docs/roles.md with a row for each operation of the OpenAPI document. */
export function fillRoles(
  document: string,
  paths: Readonly<Record<string, Readonly<Record<string, OperationOfDocument>>>>,
): string {
  const rows = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { operationId, 'x-role': needed = 'open' }]) => {
      const marks = roles.map((role) => (needed === 'open' || mayAct(role, needed) ? 'yes' : '–'));
      return `| \`${method.toUpperCase()} ${path}\` | ${operationId} | ${needed === 'open' ? 'yes' : '–'} | ${marks.join(' | ')} |`;
    }),
  );
  const head = [
    '| Path | Operation | without | viewer | inspector | engineer | admin |',
    '|---|---|---|---|---|---|---|',
  ];
  return fill(document, '<!-- roles:begin -->', [...head, ...rows].join('\n'), '<!-- roles:end -->');
}

/** docs/preprocessing.md with the fields of a step. */
export function fillFields(document: string, step: StepDefinition): string {
  return fill(document, `<!-- fields of ${step.name} -->`, describeFields(step), '<!-- end of fields -->');
}

/** The document with the part between two markers replaced. */
function fill(document: string, start: string, part: string, end: string): string {
  const from = document.indexOf(start);
  const to = document.indexOf(end, from);
  if (from < 0 || to < 0) throw new Error(`the page has no "${start}" with an "${end}" after it`);
  return `${document.slice(0, from + start.length)}\n${part}\n${document.slice(to)}`;
}
