import type { Command } from 'commander';
import { textTable } from '../text-table.ts';
import { withAccounts } from '../with-accounts.ts';

export function registerTerminal(program: Command): void {
  const terminal = program.command('terminal').description('browsers at which people take turns by PIN');

  terminal
    .command('list')
    .description('show all shared terminals, and who is signed in there')
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const rows = await withAccounts(({ terminals }) => terminals.list());
      if (json) return console.log(JSON.stringify(rows));
      const cells = rows.map((row) => [
        row.terminal_id,
        row.name,
        row.address ?? '',
        row.created_at,
        row.used_at ?? '',
        row.signed_in?.name ?? '',
      ]);
      console.log(textTable(['terminal_id', 'name', 'address', 'made', 'last used', 'signed in'], cells));
    });

  terminal
    .command('end <terminal_id>')
    .description('no PIN works there any more; ends the session there, at once')
    .option('--json', 'print JSON')
    .action(async (terminalId: string, { json }: { json?: boolean }) => {
      await withAccounts(({ terminals }) => terminals.end(terminalId));
      console.log(
        json ? JSON.stringify({ terminal_id: terminalId, ended: true }) : `${terminalId} is a shared terminal no more.`,
      );
    });
}
