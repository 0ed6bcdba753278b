import type { FastifyRequest } from 'fastify';
import { AppError, fieldError } from '../errors.ts';
import { say } from '../messages/message.ts';
import { formParts, toFormError } from './form-parts.ts';

export const maxFileBytes = 64 * 1024 * 1024;
export const maxFiles = 500;
export const maxFields = 50;

export interface UploadFields {
  readonly [name: string]: string;
}

/**
 * Reads a multipart body part by part. Files in `field` (also written `field[]` or `field[0]`) go to `onFile`, one in
 * memory at a time, with the text fields that came before them; any other file is refused. Returns all text fields.
 */
export async function readMultipart(
  request: FastifyRequest,
  options: {
    field: string;
    fields: readonly string[];
    maxBytes?: number;
    onFile: (name: string, bytes: Buffer, before: UploadFields) => Promise<void>;
  },
): Promise<UploadFields> {
  const fields: Record<string, string> = {};
  const limits = {
    fileSize: options.maxBytes ?? maxFileBytes,
    files: maxFiles,
    fields: maxFields,
    fieldSize: 100_000,
    parts: maxFiles + maxFields,
  };
  for await (const part of formParts(request, { limits, preservePath: true })) {
    const name = part.fieldname.replace(/\[\d*\]$/, '');
    if (part.type === 'file') {
      if (name !== options.field) throw unknownField(part.fieldname, options);
      await options.onFile(part.filename ?? 'file', await readFile(part, limits.fileSize), fields);
    } else {
      if (!options.fields.includes(name)) throw unknownField(part.fieldname, options);
      fields[name] = String(part.value);
    }
  }
  return fields;
}

async function readFile(part: { toBuffer(): Promise<Buffer>; filename: string }, limit: number): Promise<Buffer> {
  try {
    return await part.toBuffer();
  } catch (error) {
    if ((error as { code?: string }).code !== 'FST_REQ_FILE_TOO_LARGE') throw toFormError(error);
    const reason = say('upload.file-size', { mebibytes: limit / 1024 / 1024 });
    throw new AppError('upload-too-large', { name: part.filename, reason });
  }
}

function unknownField(name: string, options: { field: string; fields: readonly string[] }): AppError {
  const { field, fields } = options;
  const withText = say('field.unknown-of-form-with-text', { field, fields });
  return fieldError('invalid-request', name, fields.length > 0 ? withText : say('field.unknown-of-form', { field }));
}
