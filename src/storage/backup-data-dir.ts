import { chmodSync, closeSync, existsSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { BlobStore } from './blobs/blob-store.ts';
import { createDiskBlobStore } from './blobs/disk-blob-store.ts';
import { SqliteDatabase } from './data-dir.ts';

/**
 * Copies database and blobs of a data folder, in use or not. Blobs are never changed. An image that is removed while it
 * is copied is soon no longer in the database either, so the database is copied again until the copy has all that it
 * refers to. A second backup to the same folder copies only new blobs.
 * @returns the number of blobs that were copied, and those that are missing or could not be read whole.
 */
export async function backupDataDir(dataDir: string, target: string, onProgress: (text: string) => void) {
  mkdirSync(target, { recursive: true, mode: 0o700 });
  const database = join(target, 'kensa.db');
  let copied = 0;
  let missing: readonly string[] | undefined;
  for (;;) {
    await backupDatabase(join(dataDir, 'kensa.db'), database);
    const blobs = await copyBlobs(dataDir, target, (count) => onProgress(`${copied + count} blobs`));
    copied += blobs.copied;
    const before = missing;
    missing = await findMissing(database, createDiskBlobStore(join(target, 'blobs')));
    // What is missing twice is not there: nobody has removed it in between.
    const lost = missing.filter((hash) => before?.includes(hash) || blobs.damaged.includes(hash));
    if (lost.length === missing.length) return { copied, damaged: [...new Set([...blobs.damaged, ...lost])] };
  }
}

/** Images that the database says are there, and that are not. */
async function findMissing(file: string, blobs: BlobStore): Promise<string[]> {
  const database = new SqliteDatabase(file);
  try {
    // The database of an earlier release has no such column. Nothing is removed from it while it is copied.
    const columns = database.prepare(`select name from pragma_table_info('items')`).pluck().all();
    if (!columns.includes('images_removed_at')) return [];
    const images = database.prepare(
      'select distinct blob from item_images join items using (item_id) where images_removed_at is null',
    );
    const missing: string[] = [];
    for (const hash of images.pluck().all() as string[]) if (!(await blobs.has(hash))) missing.push(hash);
    return missing;
  } finally {
    database.close();
  }
}

async function copyBlobs(dataDir: string, target: string, onProgress: (count: number) => void) {
  const from = createDiskBlobStore(join(dataDir, 'blobs'));
  const to = createDiskBlobStore(join(target, 'blobs'));
  const damaged: string[] = [];
  let copied = 0;
  for await (const { hash } of from.list()) {
    if (await to.has(hash)) continue;
    try {
      await to.put(await from.get(hash));
      if (++copied % 100 === 0) onProgress(copied);
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
