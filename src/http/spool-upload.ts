import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { FastifyRequest } from 'fastify';
import { AppError, fieldError } from '../errors.ts';
import { say } from '../messages/message.ts';
import { formParts, toFormError } from './form-parts.ts';

/**
 * Writes the only file of a multipart request to a temporary file, which can be read at any position. Deletes it
 * after `use`.
 */
export async function spoolUpload<T>(
  request: FastifyRequest,
  options: { field: string; folder: string; maxBytes: number },
  use: (path: string) => Promise<T>,
): Promise<T> {
  const { field, folder, maxBytes } = options;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `${randomUUID()}.upload`);
  let received = 0;
  try {
    for await (const part of formParts(request, { limits: { fileSize: maxBytes, files: 2, fields: 10, parts: 12 } })) {
      const isWanted = part.type === 'file' && part.fieldname.replace(/\[\d*\]$/, '') === field;
      if (!isWanted) throw fieldError('invalid-request', part.fieldname, say('field.unknown-of', { known: [field] }));
      if (++received > 1) throw fieldError('invalid-request', field, say('field.twice'));
      await pipeline(part.file, createWriteStream(path, { mode: 0o600 })).catch((error: unknown) => {
        throw toFormError(error);
      });
      if (part.file.truncated) {
        const reason = say('upload.file-size', { mebibytes: Math.floor(maxBytes / 1024 / 1024) });
        throw new AppError('upload-too-large', { name: part.filename || field, reason });
      }
    }
    if (received === 0) throw fieldError('invalid-request', field, say('field.required'));
    return await use(path);
  } finally {
    await rm(path, { force: true });
  }
}
