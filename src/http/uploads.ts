import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import multipart, { type MultipartFile } from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError, fieldError } from '../errors.ts';
import { say } from '../messages/message.ts';

declare module 'fastify' {
  interface FastifyInstance {
    uploadMemory: UploadMemory;
  }
}

const maxFileBytes = 64 * 1024 * 1024;
export const maxFiles = 500;
export const maxFields = 50;

export type UploadFields = Readonly<Record<string, string>>;

/** Lets routes read forms. @param memory for the files of all requests together */
export async function registerUploads(app: FastifyInstance, memory: UploadMemory): Promise<void> {
  // Files that are too large are refused where they are read.
  await app.register(multipart, { throwFileSizeLimit: false });
  app.decorate('uploadMemory', memory);
}

interface FileContext {
  /** Those that stand before the file. */
  readonly fields: UploadFields;
  /** To be called once the bytes are not needed any more. */
  release(): void;
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
    onFile: (name: string, bytes: Buffer, context: FileContext) => Promise<void>;
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
      if (!isKnown) {
        const known = [...new Set([options.field, ...options.fields])];
        throw fieldError('invalid-request', part.fieldname, say('field.unknown-of', { known }));
      }
      if (part.type === 'field') {
        fields[name] = String(part.value);
        continue;
      }
      const { bytes, release } = await readFile(request, part, fileSize);
      const work = options
        .onFile(part.filename ?? 'file', bytes, { fields, release })
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

async function readFile(request: FastifyRequest, part: MultipartFile, limit: number) {
  const file = await request.server.uploadMemory.read(part.file).catch((error) => {
    throw toFormError(error);
  });
  if (!part.file.truncated) return file;
  file.release();
  const reason = say('upload.file-size', { mebibytes: limit / 1024 / 1024 });
  throw new AppError('upload-too-large', { name: part.filename, reason });
}

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

type PartsOptions = Parameters<FastifyRequest['parts']>[0];
type FormPart = Awaited<ReturnType<ReturnType<FastifyRequest['parts']>['next']>>['value'];

/**
 * The parts of a multipart body, one by one.
 * @throws AppError `malformed-body` if it is cut off or is not a form.
 */
async function* formParts(request: FastifyRequest, options: PartsOptions): AsyncGenerator<FormPart> {
  try {
    for await (const part of request.parts(options)) {
      // The parser accepts parts without a name.
      if (typeof part.fieldname !== 'string') throw new Error('a part has no name');
      yield part;
    }
  } catch (error) {
    throw toFormError(error);
  }
}

/** Errors of the parser carry no code. Errors of the disk or the connection do, and stay as they are. */
function toFormError(error: unknown): unknown {
  if (!(error instanceof Error) || 'code' in error || 'statusCode' in error) return error;
  return new AppError('malformed-body', { reason: say('body.no-form') }, { cause: error });
}

/**
 * Bounds the memory of uploaded files of all requests together. While the limit is reached, reading waits until a file
 * is released. Where all of them are unfinished, nothing would be released: the oldest one is then read on. So the
 * memory that is used is at most the limit and one file.
 */
export class UploadMemory {
  readonly #limit: number;
  readonly #patienceMs: number;
  #usedBytes = 0;
  /** Files that are read to the end and not released yet. */
  #finishedFiles = 0;
  /** Files that are being read, in the order in which they began. */
  readonly #unfinished = new Set<Readable>();
  readonly #changes = new EventEmitter().setMaxListeners(0);

  constructor(limitBytes: number, patienceMs = 20_000) {
    this.#limit = limitBytes;
    this.#patienceMs = patienceMs;
  }

  /**
   * @returns the bytes, and a function to call once when they are not needed any more.
   * @throws AppError `overloaded` after waiting in vain.
   */
  async read(file: Readable) {
    const chunks: Buffer[] = [];
    let size = 0;
    this.#unfinished.add(file);
    try {
      for await (const chunk of file as AsyncIterable<Buffer>) {
        chunks.push(chunk);
        size += chunk.length;
        this.#usedBytes += chunk.length;
        await this.#waitForRoom(file);
      }
    } catch (error) {
      this.#usedBytes -= size;
      throw error;
    } finally {
      this.#unfinished.delete(file);
      this.#changes.emit('change');
    }
    this.#finishedFiles++;
    const release = (): void => {
      this.#finishedFiles--;
      this.#usedBytes -= size;
      this.#changes.emit('change');
    };
    return { bytes: Buffer.concat(chunks), release };
  }

  async #waitForRoom(file: Readable): Promise<void> {
    const mustWait = (): boolean => {
      const [oldest] = this.#unfinished;
      return this.#usedBytes > this.#limit && (this.#finishedFiles > 0 || oldest !== file);
    };
    if (!mustWait()) return;
    const signal = AbortSignal.timeout(this.#patienceMs);
    while (mustWait()) {
      await once(this.#changes, 'change', { signal }).catch((cause) => {
        throw new AppError('overloaded', {}, { retryAfterSeconds: 5, cause });
      });
    }
  }
}
