import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { pino } from 'pino';
import { ConfigError, loadConfig } from '../../config.ts';
import { openQueue } from '../../jobs/open-queue.ts';
import { migrate } from '../../storage/migrate.ts';
import { openStorage } from '../../storage/open-storage.ts';
import { migrateData } from '../migrate-data.ts';
import { createProgress } from '../progress.ts';
import { textTable } from '../text-table.ts';

interface MigrateOptions {
  readonly toConfig: string;
  readonly json?: boolean;
}

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
  const place = (config: typeof source) => config.DATABASE_URL ?? config.KENSA_DATA_DIR;
  if (place(source) === place(target)) {
    throw new ConfigError('Source and target are the same database. Name another one in the file of --to-config.');
  }
  if (source.DATABASE_URL === undefined && !existsSync(join(source.KENSA_DATA_DIR, 'kensa.db'))) {
    throw new ConfigError(
      `There is no database in ${source.KENSA_DATA_DIR}. Set KENSA_DATA_DIR to the folder of the service.`,
    );
  }
  const from = openStorage(source);
  try {
    await migrate(from.db);
    const to = openStorage(target);
    const log = pino({ level: 'warn' });
    try {
      await migrate(to.db);
      const queue = await openQueue({ config: target, db: to.db, log });
      // Its tables are needed for counting what waits.
      const ownQueue = await openQueue({ config: source, db: from.db, log });
      const progress = createProgress('moving');
      const moved = await migrateData(from, { ...to, queue }, (text) => progress.update(0, text));
      progress.end();
      await queue.stop({ graceMs: 0 });
      await ownQueue.stop({ graceMs: 0 });
      if (json) console.log(JSON.stringify(moved));
      else {
        console.log(
          textTable(
            ['moved', 'count'],
            moved.map(({ what, count }) => [what, count]),
          ),
        );
        console.log('Both sides hold the same. The source was left as it is.');
      }
    } finally {
      await to.close();
    }
  } finally {
    await from.close();
  }
}
