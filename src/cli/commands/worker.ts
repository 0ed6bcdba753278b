import type { Command } from 'commander';
import { ConfigError, loadConfig } from '../../config.ts';
import { startWorker } from '../../main.ts';
import { waitForSignal } from '../wait-for-signal.ts';

export function registerWorker(program: Command): void {
  program
    .command('worker')
    .description('do the work of a service on other hosts: predictions, trainings, deliveries (needs DATABASE_URL)')
    .action(async () => {
      const config = loadConfig();
      if (config.DATABASE_URL === undefined) {
        throw new ConfigError(
          'kensa worker takes its work from PostgreSQL: set DATABASE_URL (and BLOB_URL) to those of the service. ' +
            'Without them, "kensa serve" does its own work.',
        );
      }
      const worker = await startWorker(config);
      console.error('This worker takes work from the database. Stop it with Ctrl-C.');
      await waitForSignal();
      await worker.stop();
    });
}
