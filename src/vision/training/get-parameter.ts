import { say } from '../engine-messages.ts';
import type { ParameterValues } from '../types.ts';
import { VisionError } from '../vision-error.ts';

function wrongType(name: string, value: unknown, type: 'type.number' | 'type.string' | 'type.boolean'): VisionError {
  const values = { name, received: String(value), type: say(type) };
  return new VisionError('invalid_value', say('parameter.wrong-type', values));
}

/** @throws VisionError `invalid_value` where the parameter is missing or of another type. */
export function getNumber(values: ParameterValues, name: string): number {
  const value = values[name];
  if (typeof value === 'number') return value;
  throw wrongType(name, value, 'type.number');
}

/** @throws VisionError `invalid_value` where the parameter is missing or of another type. */
export function getText(values: ParameterValues, name: string): string {
  const value = values[name];
  if (typeof value === 'string') return value;
  throw wrongType(name, value, 'type.string');
}

/** @throws VisionError `invalid_value` where the parameter is missing or of another type. */
export function getFlag(values: ParameterValues, name: string): boolean {
  const value = values[name];
  if (typeof value === 'boolean') return value;
  throw wrongType(name, value, 'type.boolean');
}
