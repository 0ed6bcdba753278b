import { once } from 'node:events';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { AuditHead } from '../../domains/audit/audit-chain.ts';
import { exportEntries } from '../../domains/audit/export-entries.ts';
import { CommandError } from '../command-error.ts';
import { withAccounts } from '../with-accounts.ts';

const problems = {
  changed: 'was changed after it was written, or the entry before it was',
  missing: 'is missing',
  'removed-at-end': 'is missing: entries were removed at the end',
  'added-at-end': 'was not written by the service',
  'not-the-known-head': 'is not the one of --known',
};

export function registerAudit(program: Command): void {
  const audit = program.command('audit').description('the audit trail: who did what, when and why');

  audit
    .command('verify')
    .description('look for entries that were changed, removed or added; exit code 1 if there are any')
    .option('--known <seq:hash>', 'the last entry of an earlier check, which must still be there', parseHead)
    .option('--json', 'print JSON')
    .action(async ({ known, json }: { known?: AuditHead; json?: boolean }) => {
      const { head, fault } = await withAccounts(({ audit: trail }) => trail.verify(known));
      if (json) console.log(JSON.stringify({ entries: head.seq, hash: head.hash, fault: fault ?? null }));
      if (fault) {
        const text = `Entry ${fault.seq} ${problems[fault.problem]}. The ${head.seq} entries before are sound.`;
        if (!json) throw new CommandError(text);
        process.exitCode = 1;
        return;
      }
      if (json) return;
      console.log(`${head.seq} entries are as they were written.`);
      console.log(`Keep this outside of the service, for the next check: --known ${head.seq}:${head.hash}`);
    });

  audit
    .command('export')
    .description('write the entries to standard output, oldest first')
    .addOption(new Option('--format <format>', 'JSON lines or CSV').choices(['jsonl', 'csv']).default('jsonl'))
    .option('--from <time>', 'from this time on, ISO 8601', parseTime)
    .option('--until <time>', 'before this time, ISO 8601', parseTime)
    .action(async (options: { format: 'jsonl' | 'csv'; from?: string; until?: string }) => {
      const { format, from, until } = options;
      await withAccounts(async ({ audit: trail }) => {
        for await (const text of exportEntries(trail.readEntries({ from, until }), format)) {
          if (!process.stdout.write(text)) await once(process.stdout, 'drain');
        }
      });
    });
}

function parseHead(text: string): AuditHead {
  const [, seq, hash] = /^(\d+):([0-9a-f]{64})$/.exec(text) ?? [];
  if (seq === undefined || hash === undefined) {
    throw new InvalidArgumentError('Write it as "kensa audit verify" printed it: a number, a colon, 64 hex digits.');
  }
  return { seq: Number(seq), hash };
}

function parseTime(text: string): string {
  const time = new Date(text);
  if (Number.isNaN(time.getTime())) throw new InvalidArgumentError('Write the time as 2027-06-30T08:00:00Z.');
  return time.toISOString();
}
