import { type FieldProblem, fieldErrors } from '../../errors.ts';
import type { UploadFields } from '../../http/uploads.ts';
import { say } from '../../messages/message.ts';
import { toReadable } from './uploaded-name.ts';

export interface AddItemFields {
  readonly training: boolean;
  readonly good: boolean | undefined;
  readonly modelId: string | undefined;
  readonly itemName: string | undefined;
}

export const addItemFieldNames = ['training', 'good', 'model_id', 'item_name'] as const;

/** Text fields of Add Item; multipart has no booleans, so they arrive as words. */
export function parseAddItemFields(fields: UploadFields): AddItemFields {
  const problems: FieldProblem[] = [];
  const truth = (key: string): boolean | undefined => {
    const value = fields[key]?.trim().toLowerCase();
    if (value === undefined || value === '') return undefined;
    if (value === 'true' || value === '1') return true;
    if (value === 'false' || value === '0') return false;
    problems.push({
      key,
      errors: [say('field.type', { types: say('type.boolean'), received: JSON.stringify(fields[key]) ?? '' })],
    });
    return undefined;
  };
  const text = (key: string): string | undefined => {
    const given = fields[key];
    const value = given === undefined ? undefined : toReadable(given);
    if (value !== undefined && [...value].length > 200)
      problems.push({ key, errors: [say('field.max-length', { limit: 200, received: [...value].length })] });
    if (given?.includes('\0')) problems.push({ key, errors: [say('field.zero-character')] });
    return value || undefined;
  };
  const parsed = {
    training: truth('training'),
    good: truth('good'),
    modelId: text('model_id'),
    itemName: text('item_name'),
  };
  if (parsed.training === undefined && problems.every((problem) => problem.key !== 'training')) {
    problems.push({ key: 'training', errors: [say('item.training-required')] });
  }
  if (problems.length > 0) throw fieldErrors('invalid-request', problems);
  return { ...parsed, training: parsed.training === true };
}
