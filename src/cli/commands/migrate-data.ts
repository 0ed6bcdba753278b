import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { pino } from 'pino';
import { type Config, ConfigError, loadConfig } from '../../config.ts';
import { listOpenJobs } from '../../jobs/engines/open-jobs.ts';
import type { JobQueue } from '../../jobs/job-queue.ts';
import { openQueue } from '../../jobs/open-queue.ts';
import type { BlobStore } from '../../storage/blobs/blob-store.ts';
import { copyTable, digestTable, listTables } from '../../storage/copy-tables.ts';
import { migrate } from '../../storage/migrate.ts';
import { openStorage, type Storage } from '../../storage/open-storage.ts';
import { CommandError } from '../command-error.ts';
import { createProgress } from '../progress.ts';
import { textTable } from '../text-table.ts';

interface MigrateOptions {
  readonly toConfig: string;
  readonly json?: boolean;
}

type Side = Storage & { readonly queue: JobQueue };

export function registerMigrateData(program: Command): void {
  program
    .command('migrate-data')
    .description('copy everything to another database and blob store, and compare (stop the service first)')
    .requiredOption('--to-config <file>', 'settings of the target: JSON with KENSA_DATA_DIR, DATABASE_URL, BLOB_URL')
    .option('--json', 'print JSON')
    .action(run);
}

async function run({ toConfig, json }: MigrateOptions): Promise<void> {
  const source = loadConfig();
  const target = loadConfig({ KENSA_CONFIG: toConfig });
  const place = (config: Config) => config.DATABASE_URL ?? config.KENSA_DATA_DIR;
  if (place(source) === place(target)) {
    throw new ConfigError('Source and target are the same database. Name another one in the file of --to-config.');
  }
  if (source.DATABASE_URL === undefined && !existsSync(join(source.KENSA_DATA_DIR, 'kensa.db'))) {
    throw new ConfigError(
      `There is no database in ${source.KENSA_DATA_DIR}. Set KENSA_DATA_DIR to the folder of the service.`,
    );
  }
  const progress = createProgress('moving');
  const moved = await withStorageAndQueue(source, (from) =>
    withStorageAndQueue(target, (to) => moveData(from, to, (text) => progress.update(0, text))),
  );
  progress.end();
  if (json) return console.log(JSON.stringify(moved));
  const rows = moved.map(({ what, count }) => [what, count]);
  console.log(textTable(['moved', 'count'], rows));
  console.log('Both sides hold the same. The source was left as it is.');
}

/** Opens storage and queue; the queue's tables are needed to count the waiting jobs. */
async function withStorageAndQueue<T>(config: Config, work: (side: Side) => Promise<T>): Promise<T> {
  const storage = openStorage(config);
  try {
    await migrate(storage.db);
    const queue = await openQueue({ config, db: storage.db, log: pino({ level: 'warn' }) });
    try {
      return await work({ ...storage, queue });
    } finally {
      await queue.stop({ graceMs: 0 });
    }
  } finally {
    await storage.close();
  }
}

/**
 * Copies everything and compares both sides: every table by count and hash, every blob by its hash. The source stays
 * as it is.
 * @throws CommandError where the target is not empty, or where the sides differ afterwards
 */
async function moveData(from: Side, to: Side, onProgress: (text: string) => void) {
  const tables = await listTables(from.db);
  for (const table of tables) {
    const { rows } = await digestTable(to.db, table);
    if (rows > 0) throw new CommandError(`The target is not empty: ${table} has ${rows} rows. Take an empty one.`);
  }
  const moved = [{ what: 'blobs', count: await copyBlobs(from.blobs, to.blobs, onProgress) }];
  const jobs = await listOpenJobs(from.db);
  await to.db.transaction().execute(async (trx) => {
    for (const table of tables) {
      onProgress(`copying ${table}`);
      await copyTable(from.db, trx, table);
    }
    await to.queue.enqueue(trx, jobs);
  });
  for (const table of tables) {
    onProgress(`comparing ${table}`);
    const source = await digestTable(from.db, table);
    const target = await digestTable(to.db, table);
    if (target.rows !== source.rows || target.hash !== source.hash) {
      throw new CommandError(
        `${table} differs: ${source.rows} rows in the source, ${target.rows} in the target. ` +
          'Stop every process that uses the source, empty the target and try again.',
      );
    }
    moved.push({ what: table, count: target.rows });
  }
  const waiting = (await listOpenJobs(to.db)).length;
  if (waiting !== jobs.length) {
    throw new CommandError(
      `${jobs.length} jobs wait in the source, ${waiting} in the target. Empty the target and try again.`,
    );
  }
  return [...moved, { what: 'waiting jobs', count: jobs.length }];
}

async function copyBlobs(from: BlobStore, to: BlobStore, onProgress: (text: string) => void): Promise<number> {
  let count = 0;
  for await (const { hash } of from.list()) {
    // `get` compares what it reads with the hash. `put` names what it writes by its hash.
    const stored = await to.put(await from.get(hash));
    if (stored !== hash || !(await to.has(hash))) throw new CommandError(`Blob ${hash} did not arrive.`);
    if (++count % 100 === 0) onProgress(`${count} blobs copied`);
  }
  return count;
}
