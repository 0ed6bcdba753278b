import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { ConfigError, loadConfig } from '../../config.ts';
import { backupDataDir } from '../../storage/backup-data-dir.ts';
import { createProgress } from '../progress.ts';

export function registerBackup(program: Command): void {
  program
    .command('backup <folder>')
    .description('copy the data folder to another, while the service runs; a copy can be served as it is')
    .action(async (folder: string) => {
      const { KENSA_DATA_DIR: dataDir, DATABASE_URL, BLOB_URL } = loadConfig();
      if (DATABASE_URL !== undefined || BLOB_URL !== undefined) {
        throw new ConfigError(
          'This service keeps its data elsewhere: copy the bucket, then back up PostgreSQL with pg_dump, then copy what is new in the bucket.',
        );
      }
      if (!existsSync(join(dataDir, 'kensa.db'))) {
        throw new ConfigError(`There is no database in ${dataDir}. Set KENSA_DATA_DIR to the folder of the service.`);
      }
      const progress = createProgress('backup');
      const { copied, damaged } = await backupDataDir(dataDir, folder, (text) => progress.update(0, text));
      progress.end();
      console.log(`The database and ${copied} new blobs were copied to ${folder}.`);
      if (damaged.length === 0) return;
      console.error(
        `${damaged.length} blobs are damaged and were not copied; "kensa doctor" says which images they are.`,
      );
      process.exitCode = 1;
    });
}
