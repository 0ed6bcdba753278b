import { stringify } from 'csv-stringify/sync';
import type { AuditRow } from '../../storage/database.ts';

const columns = [
  'seq',
  'at',
  'caller_kind',
  'caller_id',
  'caller_name',
  'act',
  'target_id',
  'details',
  'reason',
  'hash',
] as const;

/** JSON lines keep `details` as the text that was hashed. CSV is for reading: spreadsheets run none of its cells. */
export async function* exportEntries(
  portions: AsyncIterable<readonly AuditRow[]>,
  format: 'jsonl' | 'csv',
): AsyncGenerator<string> {
  const csv = (records: readonly (readonly unknown[])[]): string =>
    stringify(records as unknown[][], { record_delimiter: 'windows', escape_formulas: true });
  if (format === 'csv') yield csv([columns]);
  for await (const rows of portions) {
    if (format === 'csv') yield csv(rows.map((row) => columns.map((column) => row[column])));
    else
      yield rows
        .map((row) => `${JSON.stringify(Object.fromEntries(columns.map((name) => [name, row[name]])))}\n`)
        .join('');
  }
}
