import type { Command } from 'commander';
import { ConfigError, loadConfig } from '../../config.ts';
import { startService, startWorker } from '../../main.ts';

export function registerServe(program: Command): void {
  program
    .command('serve')
    .description('run the service (settings: environment, see docs/operations.md)')
    .action(async () => {
      const { url, firstClient, stop } = await startService(loadConfig());
      console.error(`Kensa runs at ${url} (try the API: ${url}/docs). Stop it with Ctrl-C.`);
      if (firstClient) {
        console.error('The first client was made. Its secret is shown only now:');
        console.error(`  client_id:     ${firstClient.clientId}\n  client_secret: ${firstClient.secret}`);
      }
      await waitForSignal();
      await stop();
    });
}

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
      const { stop } = await startWorker(config);
      console.error('This worker takes work from the database. Stop it with Ctrl-C.');
      await waitForSignal();
      await stop();
    });
}

/** Longer than any part of the service takes to stop. A part that still waits then, such as for a lost database, never ends. */
const LONGEST_STOP_MS = 60_000;

/** Resolves at Ctrl-C or when the system asks the process to end. A second signal ends it at once, and so does a minute. */
export function waitForSignal(): Promise<void> {
  return new Promise((resolve) => {
    let asked = false;
    const onSignal = (): void => {
      if (asked) process.exit(130);
      asked = true;
      setTimeout(() => process.exit(1), LONGEST_STOP_MS).unref();
      resolve();
    };
    process.on('SIGINT', onSignal);
    process.on('SIGTERM', onSignal);
  });
}
