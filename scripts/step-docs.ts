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

/** The table of a step's fields and its example, as docs/preprocessing.md holds them. */
export function describeFields(entry: StepDefinition): string {
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

/** The document with the part between a step's two markers replaced. */
export function fillFields(document: string, entry: StepDefinition): string {
  const start = `<!-- fields of ${entry.name} -->`;
  const end = '<!-- end of fields -->';
  const from = document.indexOf(start);
  const to = document.indexOf(end, from);
  if (from < 0 || to < 0) throw new Error(`docs/preprocessing.md has no "${start}" with an "${end}" after it`);
  return `${document.slice(0, from + start.length)}\n${describeFields(entry)}\n${document.slice(to)}`;
}
