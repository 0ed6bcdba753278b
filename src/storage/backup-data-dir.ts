import { chmodSync, closeSync, existsSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createDiskBlobStore } from './blobs/disk-blob-store.ts';
import { SqliteDatabase } from './data-dir.ts';

/**
 * Copies database and blobs of a data folder, in use or not. The database first: blobs are never changed, and deleted
 * an hour after their last use at the earliest, so that all it refers to is still there. A second backup to the same
 * folder copies only new blobs.
 * @returns the number of blobs that were copied, and those that could not be read whole.
 */
export async function backupDataDir(dataDir: string, target: string, onProgress: (text: string) => void) {
  mkdirSync(target, { recursive: true, mode: 0o700 });
  await backupDatabase(join(dataDir, 'kensa.db'), join(target, 'kensa.db'));
  const from = createDiskBlobStore(join(dataDir, 'blobs'));
  const to = createDiskBlobStore(join(target, 'blobs'));
  const damaged: string[] = [];
  let copied = 0;
  for await (const { hash } of from.list()) {
    if (await to.has(hash)) continue;
    try {
      await to.put(await from.get(hash));
      if (++copied % 100 === 0) onProgress(`${copied} blobs`);
    } catch (error) {
      // Swept since it was listed: nothing refers to it.
      if (existsSync(join(dataDir, 'blobs', hash.slice(0, 2), hash))) {
        if ((error as { code?: string }).code !== 'storage-damaged') throw error;
        damaged.push(hash);
      }
    }
  }
  return { copied, damaged };
}

/** Beside the last one, then in its place: a backup that breaks off leaves that as it is. */
async function backupDatabase(file: string, target: string): Promise<void> {
  const fresh = `${target}.new`;
  rmSync(fresh, { force: true });
  const database = new SqliteDatabase(file, { readonly: true });
  try {
    // All the rest in one step: each write by the service between two steps would start it anew.
    await database.backup(fresh, { progress: () => 0x7fffffff });
  } finally {
    database.close();
  }
  chmodSync(fresh, 0o600);
  const copied = openSync(fresh, 'r');
  fsyncSync(copied);
  closeSync(copied);
  // What a service that ran on the last one may have left would be read into the new one.
  for (const suffix of ['-wal', '-shm']) rmSync(target + suffix, { force: true });
  renameSync(fresh, target);
}
