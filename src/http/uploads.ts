import multipart, { type MultipartFile } from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError, fieldError } from '../errors.ts';
import { say } from '../messages/message.ts';
import { formParts, toFormError } from './form-parts.ts';
import { type UploadedFile, UploadMemory } from './upload-memory.ts';

export const maxFileBytes = 64 * 1024 * 1024;
export const maxFiles = 500;
export const maxFields = 50;

export interface UploadFields {
  readonly [name: string]: string;
}

/** Lets routes read forms. @param memoryBytes for the files of all requests together */
export async function registerUploads(app: FastifyInstance, memoryBytes: number): Promise<void> {
  // Files that are too large are refused where they are read.
  await app.register(multipart, { throwFileSizeLimit: false });
  app.decorate('uploadMemory', new UploadMemory(memoryBytes));
}

/** Files of one request that are processed at the same time. */
const filesAtOnce = 4;

/**
 * Reads a multipart body part by part. Files in `field` (also written `field[]` or `field[0]`) go to `onFile`, in their
 * order, a few at a time; any other file is refused. Returns all text fields once all files are processed.
 */
export async function readMultipart(
  request: FastifyRequest,
  options: {
    field: string;
    fields: readonly string[];
    maxBytes?: number;
    /** Calls `release` once the bytes are not needed any more. */
    onFile: (name: string, bytes: Buffer, release: () => void) => Promise<void>;
  },
): Promise<UploadFields> {
  const fields: Record<string, string> = {};
  const fileSize = options.maxBytes ?? maxFileBytes;
  const limits = { fileSize, files: maxFiles, fields: maxFields, fieldSize: 100_000, parts: maxFiles + maxFields };
  const inWork = new Set<Promise<void>>();
  let failure: unknown;
  try {
    for await (const part of formParts(request, { limits, preservePath: true })) {
      const name = part.fieldname.replace(/\[\d*\]$/, '');
      const isKnown = part.type === 'file' ? name === options.field : options.fields.includes(name);
      if (!isKnown) throw unknownField(part.fieldname, options);
      if (part.type === 'field') {
        fields[name] = String(part.value);
        continue;
      }
      const { bytes, release } = await readFile(request, part, fileSize);
      const work = options
        .onFile(part.filename ?? 'file', bytes, release)
        .catch((error) => {
          failure ??= error;
        })
        .finally(() => inWork.delete(work));
      inWork.add(work);
      if (inWork.size === filesAtOnce) await Promise.race(inWork);
      if (failure !== undefined) break;
    }
  } finally {
    await Promise.all(inWork);
  }
  if (failure !== undefined) throw failure;
  return fields;
}

async function readFile(request: FastifyRequest, part: MultipartFile, limit: number): Promise<UploadedFile> {
  const file = await request.server.uploadMemory.read(part.file).catch((error) => {
    throw toFormError(error);
  });
  if (!part.file.truncated) return file;
  file.release();
  const reason = say('upload.file-size', { mebibytes: limit / 1024 / 1024 });
  throw new AppError('upload-too-large', { name: part.filename, reason });
}

function unknownField(name: string, options: { field: string; fields: readonly string[] }): AppError {
  return fieldError(
    'invalid-request',
    name,
    say('field.unknown-of', { known: [...new Set([options.field, ...options.fields])] }),
  );
}
