import { say } from '../../engine-messages.ts';
import type { Message } from '../../message.ts';
import { showValue } from '../../schema-problems.ts';
import type { ParameterSpec, ParameterValues } from '../../types.ts';

export interface ParameterOverride {
  readonly name: string;
  readonly value: string;
}

const LONGEST_TEXT = 255;

function parseNumber(spec: ParameterSpec, text: string): number | undefined {
  const pattern = spec.dataType === 'int' ? /^[+-]?\d{1,15}$/ : /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
  const value = pattern.test(text) ? Number(text) : Number.NaN;
  const [lower, upper] = [Number(spec.rangeLower ?? -Infinity), Number(spec.rangeUpper ?? Infinity)];
  return value >= lower && value <= upper ? value : undefined;
}

function parseValue(spec: ParameterSpec, text: string): ParameterValues[string] | undefined {
  switch (spec.dataType) {
    case 'int':
    case 'float':
      return parseNumber(spec, text.trim());
    case 'bool':
      return { true: true, false: false, '1': true, '0': false }[text.trim().toLowerCase()];
    case 'enum':
      return (spec.rangeLower ?? '').split('|').includes(text) ? text : undefined;
    case 'string':
      return text.length > 0 && text.length <= LONGEST_TEXT ? text : undefined;
  }
}

function describeBadValue(spec: ParameterSpec, text: string): Message {
  const received = showValue(text);
  const lower = spec.rangeLower ?? '−∞';
  const upper = spec.rangeUpper ?? '∞';
  switch (spec.dataType) {
    case 'int':
    case 'float': {
      const types = say(spec.dataType === 'int' ? 'type.integer' : 'type.number');
      return say('field.range', { types, lower, upper, received });
    }
    case 'bool':
      return say('field.type', { types: say('type.boolean'), received });
    case 'enum':
      return say('field.one-of', { allowed: (spec.rangeLower ?? '').split('|'), received });
    case 'string':
      return text === ''
        ? say('field.min-length', { limit: 1, received })
        : say('field.max-length', { limit: LONGEST_TEXT, received });
  }
}

/** Complete, typed values: defaults with the overrides put in; or every problem of the overrides at once. */
export function parseParameterValues(
  algorithm: { readonly parameters: readonly ParameterSpec[] },
  overrides: readonly ParameterOverride[],
): { readonly values: ParameterValues } | { readonly issues: readonly { name: string; message: Message }[] } {
  const specs = new Map(algorithm.parameters.map((spec) => [spec.name, spec]));
  const values: Record<string, ParameterValues[string]> = Object.fromEntries(
    algorithm.parameters.map((spec) => [spec.name, parseValue(spec, spec.defaultValue) ?? spec.defaultValue]),
  );
  const issues: { name: string; message: Message }[] = [];
  const seen = new Set<string>();
  for (const { name, value: text } of overrides) {
    const spec = specs.get(name);
    const value = spec && parseValue(spec, text);
    if (!spec) issues.push({ name, message: say('field.unknown-of', { known: [...specs.keys()] }) });
    else if (seen.has(name)) issues.push({ name, message: say('field.twice') });
    else if (value === undefined) issues.push({ name, message: describeBadValue(spec, text) });
    else values[name] = value;
    seen.add(name);
  }
  return issues.length > 0 ? { issues } : { values };
}
