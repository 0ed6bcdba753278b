import type { Command } from 'commander';
import { loadConfig } from '../../config.ts';
import { type RunningService, startService } from '../../main.ts';
import { waitForSignal } from '../wait-for-signal.ts';

export function registerServe(program: Command): void {
  program
    .command('serve')
    .description('run the service (settings: environment, see docs/operations.md)')
    .action(async () => {
      const service = await startService(loadConfig());
      announce(service);
      await waitForSignal();
      await service.stop();
    });
}

function announce({ url, firstClient }: RunningService): void {
  console.error(`Kensa runs at ${url} (try the API: ${url}/docs). Stop it with Ctrl-C.`);
  if (!firstClient) return;
  console.error('The first client was made. Its secret is shown only now:');
  console.error(`  client_id:     ${firstClient.clientId}`);
  console.error(`  client_secret: ${firstClient.secret}`);
}
