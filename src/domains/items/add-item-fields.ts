import { Value } from 'typebox/value';
import { type FieldProblem, fieldErrors } from '../../errors.ts';
import type { UploadFields } from '../../http/uploads.ts';
import { type Message, say } from '../../messages/message.ts';
import { ItemFields, type ItemOrigin } from './items.schemas.ts';
import { toReadable } from './uploaded-name.ts';

export interface AddItemFields {
  readonly training: boolean;
  readonly good: boolean | undefined;
  readonly modelId: string | undefined;
  readonly itemName: string | undefined;
  readonly origin: ItemOrigin;
}

/** Fields of every form that sends images. */
export const imageFormFields = ['item_name', 'serial', 'lot', 'fields'] as const;
export const addItemFieldNames = [
  'training',
  'good',
  'model_id',
  'station_id',
  'target_id',
  ...imageFormFields,
] as const;

/** Their description in the API document, beside the files. */
export const imageFormProperties = {
  files: { type: 'array', items: { type: 'string', format: 'binary' }, description: 'JPEG, PNG, WebP, TIFF or BMP' },
  item_name: { type: 'string', description: 'ext: all files become images of one item of this name' },
  serial: { type: 'string', description: 'ext: serial number of the product' },
  lot: { type: 'string', description: 'ext: lot that the product is of' },
  fields: { type: 'string', description: 'ext: JSON object of up to 16 texts, such as {"shift":"2"}' },
} as const;

/** Text fields of Add Item; multipart has no booleans, so they arrive as words. */
export function parseAddItemFields(fields: UploadFields): AddItemFields {
  const form = readForm(fields);
  const station = form.text('station_id');
  const target = form.number('target_id');
  const parsed = {
    training: form.truth('training'),
    good: form.truth('good'),
    modelId: form.text('model_id'),
    itemName: form.text('item_name'),
    origin: {
      ...form.origin(),
      ...(station === undefined ? {} : { station_id: station }),
      ...(target === undefined ? {} : { target_id: target }),
    },
  };
  if (parsed.training === undefined && form.problems.every((problem) => problem.key !== 'training')) {
    form.complain('training', say('item.training-required'));
  }
  form.throwProblems();
  return { ...parsed, training: parsed.training === true };
}

/** Text fields of a form that asks for a verdict. */
export function parseImageForm(fields: UploadFields): Pick<AddItemFields, 'itemName' | 'origin'> {
  const form = readForm(fields);
  const parsed = { itemName: form.text('item_name'), origin: form.origin() };
  form.throwProblems();
  return parsed;
}

/** Reads the text fields of a form and collects what is wrong with them. */
function readForm(fields: UploadFields) {
  const problems: FieldProblem[] = [];
  const complain = (key: string, error: Message) => problems.push({ key, errors: [error] });
  const text = (key: string): string | undefined => {
    const given = fields[key];
    const value = given === undefined ? undefined : toReadable(given);
    if (value !== undefined && [...value].length > 200)
      complain(key, say('field.max-length', { limit: 200, received: [...value].length }));
    if (given?.includes('\0')) complain(key, say('field.zero-character'));
    return value || undefined;
  };
  return {
    problems,
    complain,
    text,
    truth(key: string): boolean | undefined {
      const value = fields[key]?.trim().toLowerCase();
      if (value === undefined || value === '') return undefined;
      if (value === 'true' || value === '1') return true;
      if (value === 'false' || value === '0') return false;
      const received = JSON.stringify(fields[key]) ?? '';
      complain(key, say('field.type', { types: say('type.boolean'), received }));
      return undefined;
    },
    number(key: string): number | undefined {
      const value = text(key);
      if (value === undefined) return undefined;
      if (/^[1-9]\d{0,8}$/.test(value)) return Number(value);
      complain(key, say('field.type', { types: say('type.integer'), received: JSON.stringify(value) }));
      return undefined;
    },
    origin(): ItemOrigin {
      const serial = text('serial');
      const lot = text('lot');
      const known = parseItemFields(fields['fields'] || '{}');
      if (!known) complain('fields', say('item.fields', { example: '{"shift":"2"}' }));
      return {
        ...(serial === undefined ? {} : { serial }),
        ...(lot === undefined ? {} : { lot }),
        fields: known ?? {},
      };
    },
    throwProblems(): void {
      if (problems.length > 0) throw fieldErrors('invalid-request', problems);
    },
  };
}

/** @returns undefined where the text is not a JSON object of texts. */
function parseItemFields(text: string): Record<string, string> | undefined {
  try {
    const fields: unknown = JSON.parse(text);
    // PostgreSQL cannot store a zero character.
    return Value.Check(ItemFields, fields) && !text.includes('\\u0000') && !text.includes('\0') ? fields : undefined;
  } catch {
    return undefined;
  }
}
