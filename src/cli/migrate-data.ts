import { listOpenJobs } from '../jobs/engines/open-jobs.ts';
import type { JobQueue } from '../jobs/job-queue.ts';
import type { BlobStore } from '../storage/blobs/blob-store.ts';
import { copyTable, digestTable, listTables } from '../storage/copy-tables.ts';
import type { Storage } from '../storage/open-storage.ts';

export interface Moved {
  readonly what: string;
  readonly count: number;
}

/** What keeps data from being moved, in words. */
export class MigrateDataError extends Error {
  override readonly name = 'MigrateDataError';
}

/**
 * Copies everything and compares both sides: every table by count and hash, every blob by its hash. The source stays
 * as it is. @throws MigrateDataError where the target is not empty, or where the sides differ afterwards.
 */
export async function migrateData(
  from: Storage,
  to: Storage & { readonly queue: JobQueue },
  onProgress: (text: string) => void,
): Promise<Moved[]> {
  const tables = await listTables(from.db);
  for (const table of tables) {
    const { rows } = await digestTable(to.db, table);
    if (rows > 0) throw new MigrateDataError(`The target is not empty: ${table} has ${rows} rows. Take an empty one.`);
  }
  const moved: Moved[] = [{ what: 'blobs', count: await copyBlobs(from.blobs, to.blobs, onProgress) }];
  const jobs = await listOpenJobs(from.db);
  await to.db.transaction().execute(async (trx) => {
    for (const table of tables) {
      onProgress(`copying ${table}`);
      await copyTable(from.db, trx, table);
    }
    await to.queue.enqueueMany(trx, jobs);
  });
  for (const table of tables) {
    onProgress(`comparing ${table}`);
    const [there, here] = await Promise.all([digestTable(to.db, table), digestTable(from.db, table)]);
    if (there.rows !== here.rows || there.hash !== here.hash) {
      throw new MigrateDataError(
        `${table} differs: ${here.rows} rows here, ${there.rows} there. Stop every process that uses the source, empty the target and try again.`,
      );
    }
    moved.push({ what: table, count: there.rows });
  }
  const waiting = (await listOpenJobs(to.db)).length;
  if (waiting !== jobs.length) {
    throw new MigrateDataError(`${jobs.length} jobs wait here, ${waiting} there. Empty the target and try again.`);
  }
  return [...moved, { what: 'waiting jobs', count: jobs.length }];
}

async function copyBlobs(from: BlobStore, to: BlobStore, onProgress: (text: string) => void): Promise<number> {
  let count = 0;
  for await (const { hash } of from.list()) {
    // `get` compares what it reads with the hash, so does `put` by the name that it gives.
    const stored = await to.put(await from.get(hash));
    if (stored !== hash || !(await to.has(hash))) throw new MigrateDataError(`Blob ${hash} did not arrive.`);
    if (++count % 100 === 0) onProgress(`${count} blobs copied`);
  }
  return count;
}
