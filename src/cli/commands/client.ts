import { type Command, Option } from 'commander';
import { type Scope, scopes } from '../../caller.ts';
import { loadConfig } from '../../config.ts';
import { type AuthService, createAuthService } from '../../domains/auth/auth.service.ts';
import { createClientStore } from '../../domains/auth/client.store.ts';
import { AppError } from '../../errors.ts';
import { say } from '../../messages/message.ts';
import { migrate } from '../../storage/migrate.ts';
import { openStorage } from '../../storage/open-storage.ts';
import { createSettingsStore } from '../../storage/settings.store.ts';
import { textTable } from '../text-table.ts';

export function registerClient(program: Command): void {
  const client = program
    .command('client')
    .description('who may use the API (with an embedded database: while the service is stopped)');

  client
    .command('add [name]')
    .description('make a client and show its secret, once')
    .option('--id <client_id>', 'its id; an existing one gets a new secret')
    .addOption(new Option('--scope <scope>', 'the most that it may do').choices(scopes).default('all'))
    .option('--json', 'print JSON')
    .action(async (name: string | undefined, options: { id?: string; scope: Scope; json?: boolean }) => {
      const made = await withAuth((auth) =>
        auth.addClient({
          name: name ?? options.id ?? 'client',
          scope: options.scope,
          ...(options.id ? { clientId: options.id } : {}),
        }),
      );
      if (options.json) console.log(JSON.stringify({ client_id: made.clientId, client_secret: made.secret }));
      else
        console.log(`client_id:     ${made.clientId}\nclient_secret: ${made.secret}\nThe secret is not shown again.`);
    });

  client
    .command('list')
    .description('show all clients')
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }) => {
      const clients = await withAuth((auth) => auth.listClients());
      const rows = clients.map(({ client_id, name, scope, created_at, revoked_at }) => ({
        client_id,
        name,
        scope,
        created_at,
        revoked_at,
      }));
      if (options.json) return console.log(JSON.stringify(rows));
      const cells = rows.map((row) => [row.client_id, row.name, row.scope, row.created_at, row.revoked_at ?? '']);
      console.log(textTable(['client_id', 'name', 'scope', 'made', 'revoked'], cells));
    });

  client
    .command('revoke <client_id>')
    .description('end a client and all its tokens')
    .option('--json', 'print JSON')
    .action(async (clientId: string, options: { json?: boolean }) => {
      const revoked = await withAuth((auth) => auth.revokeClient(clientId));
      if (!revoked) throw new AppError('invalid-request', { reason: say('client.unknown', { client: clientId }) });
      console.log(options.json ? JSON.stringify({ client_id: clientId, revoked }) : `${clientId} is revoked.`);
    });
}

/** Works on the database of the settings. No running service may hold an embedded one meanwhile. */
async function withAuth<T>(work: (auth: AuthService) => Promise<T>): Promise<T> {
  const storage = openStorage(loadConfig());
  try {
    await migrate(storage.db);
    const clients = createClientStore(storage.db);
    const settings = createSettingsStore(storage.db);
    return await work(await createAuthService({ clients, settings, tokenSeconds: 3600 }));
  } finally {
    await storage.close();
  }
}
