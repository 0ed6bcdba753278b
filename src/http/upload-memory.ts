import { EventEmitter, once } from 'node:events';
import type { Readable } from 'node:stream';
import { AppError } from '../errors.ts';

declare module 'fastify' {
  interface FastifyInstance {
    uploadMemory: UploadMemory;
  }
}

export interface UploadedFile {
  readonly bytes: Buffer;
  /** Call it once, when the bytes are not needed any more. */
  release(): void;
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

  /** @throws AppError `overloaded` after waiting in vain. */
  async read(file: Readable): Promise<UploadedFile> {
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
