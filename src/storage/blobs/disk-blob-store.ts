import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, rmSync, statSync } from 'node:fs';
import { access, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AppError } from '../../errors.ts';
import { say } from '../../messages/message.ts';
import type { BlobHash, BlobStore } from './blob-store.ts';

/** Files `root/ab/abcdef…`, written beside, synced and renamed, so that a name always means whole content. */
export function createDiskBlobStore(root: string): BlobStore {
  const pathOf = (hash: BlobHash): string => join(root, hash.slice(0, 2), hash);
  const exists = (path: string): Promise<boolean> =>
    access(path).then(
      () => true,
      () => false,
    );

  /** How many calls of `put` write each blob. */
  const writing = new Map<BlobHash, number>();

  return {
    async put(bytes) {
      const hash = createHash('sha256').update(bytes).digest('hex');
      writing.set(hash, (writing.get(hash) ?? 0) + 1);
      try {
        // Also where it is there: what is put again must look young to the sweeper, which spares young blobs.
        await writeDurably(pathOf(hash), bytes);
      } finally {
        const others = (writing.get(hash) ?? 1) - 1;
        if (others > 0) writing.set(hash, others);
        else writing.delete(hash);
      }
      return hash;
    },
    async deleteUntouched(hash, since) {
      // In one step of this process: no `put` can begin between the look and the deletion.
      const stats = writing.has(hash) ? undefined : statSync(pathOf(hash), { throwIfNoEntry: false });
      if (stats && stats.mtimeMs < since) rmSync(pathOf(hash), { force: true });
    },
    async get(hash) {
      const bytes = await readFile(pathOf(hash)).catch((cause: NodeJS.ErrnoException) => {
        if (cause.code !== 'ENOENT') throw cause;
        throw new AppError('storage-damaged', { reason: say('storage.missing', { hash }) }, { cause });
      });
      if (createHash('sha256').update(bytes).digest('hex') !== hash) {
        throw new AppError('storage-damaged', { reason: say('storage.changed', { hash }) });
      }
      return bytes;
    },
    has: (hash) => exists(pathOf(hash)),
    delete: (hash) => rm(pathOf(hash), { force: true }),
    async *list() {
      for (const folder of await readdir(root).catch((): string[] => [])) {
        if (!/^[0-9a-f]{2}$/.test(folder)) continue;
        for (const hash of await readdir(join(root, folder))) {
          if (!/^[0-9a-f]{64}$/.test(hash)) continue;
          const stats = await stat(pathOf(hash)).catch(ignoreMissing);
          // It may have been deleted since the folder was read.
          if (stats) yield { hash, modifiedAt: stats.mtimeMs, size: stats.size };
        }
      }
    },
    async openRead(hash) {
      if (!(await exists(pathOf(hash))))
        throw new AppError('storage-damaged', { reason: say('storage.missing', { hash }) });
      return createReadStream(pathOf(hash));
    },
  };
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

async function writeDurably(path: string, bytes: Uint8Array): Promise<void> {
  const folder = dirname(path);
  const temporary = join(folder, `.${randomUUID()}.part`);
  const write = (): Promise<void> => writeFile(temporary, bytes, { flag: 'wx', mode: 0o600, flush: true });
  try {
    await write().catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await syncFolder(dirname(folder));
      await write();
    });
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  // The name itself must survive a power cut as well.
  await syncFolder(folder);
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
