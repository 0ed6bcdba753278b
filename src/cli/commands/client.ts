import { type Command, Option } from 'commander';
import { type Scope, scopes } from '../../roles.ts';
import { textTable } from '../text-table.ts';
import { withAccounts } from '../with-accounts.ts';

export function registerClient(program: Command): void {
  const client = program.command('client').description('the machines that use the API');

  client
    .command('add [name]')
    .description('make a client and show its secret, once')
    .option('--id <client_id>', 'its id; an existing one gets a new secret')
    .addOption(new Option('--scope <scope>', 'the most that it may do').choices(scopes).default('all'))
    .option('--json', 'print JSON')
    .action(async (name: string | undefined, options: { id?: string; scope: Scope; json?: boolean }) => {
      const made = await withAccounts(({ auth }) =>
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
      const clients = await withAccounts(({ auth }) => auth.listClients());
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
    .command('set-scope <client_id>')
    .description('change what a client may do')
    .addArgument(program.createArgument('<scope>').choices(scopes))
    .option('--json', 'print JSON')
    .action(async (clientId: string, scope: Scope, options: { json?: boolean }) => {
      await withAccounts(({ auth }) => auth.changeScope(clientId, scope));
      console.log(
        options.json ? JSON.stringify({ client_id: clientId, scope }) : `${clientId} has the scope ${scope}.`,
      );
    });

  client
    .command('revoke <client_id>')
    .description('end a client and all its tokens')
    .option('--json', 'print JSON')
    .action(async (clientId: string, options: { json?: boolean }) => {
      await withAccounts(({ auth }) => auth.revokeClient(clientId));
      console.log(options.json ? JSON.stringify({ client_id: clientId, revoked: true }) : `${clientId} is revoked.`);
    });
}
