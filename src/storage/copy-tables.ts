import { createHash } from 'node:crypto';
import { PostgresAdapter, type RawBuilder, sql } from 'kysely';
import type { Db } from './database.ts';

/** Tables with the columns that name a row, in the order in which they can be filled. */
const tableKeys = {
  clients: ['client_id'],
  settings: ['key'],
  labels: ['label'],
  targets: ['target_id'],
  models: ['seq'],
  model_versions: ['algorithm_id', 'context_id'],
  items: ['seq'],
  item_images: ['item_id', 'position'],
  annotations: ['annotation_id'],
  model_items: ['model_id', 'item_id'],
  assessments: ['seq'],
  assessment_images: ['item_id', 'model_id', 'position'],
  deliveries: ['delivery_id'],
  stations: ['station_id'],
  users: ['user_id'],
  sessions: ['session_hash'],
  terminals: ['terminal_hash'],
  audit_log: ['seq'],
  station_files: ['station_id', 'path'],
  ftp_logins: ['station_id'],
  ftp_uploads: ['item_id'],
  retention_rules: ['retention_id'],
  holds: ['hold_id'],
  held_items: ['item_id', 'hold_id'],
  thumbnails: ['item_id', 'position'],
  retention_runs: ['run_id'],
} as const;

/** The database computes these columns itself. */
const computedColumns = ['list_kind', 'item_seq', 'item_target', 'verdicts'];
/** Computed tables, and those of the job engines. */
const notCopied = /^(counts|item_names.*|jobs|job_workers|station_leases|kysely_.*|sqlite_.*)$/;

type Row = Record<string, string | number | null>;
type TableName = keyof typeof tableKeys;

const pageSize = 500;

/** @throws Error naming a table that this release would leave behind. */
export async function listTables(db: Db): Promise<TableName[]> {
  const known = Object.keys(tableKeys) as TableName[];
  const all = await db.introspection.getTables();
  const tables = all.filter(({ schema }) => schema !== 'graphile_worker').map((table) => table.name);
  const strange = tables.filter((name) => !notCopied.test(name) && !known.includes(name as TableName));
  if (strange.length > 0) throw new Error(`Nothing is known of how to copy ${strange.join(', ')}.`);
  return known;
}

/** Rows in the order of their key, without computed columns. */
async function* readRows(db: Db, table: TableName): AsyncGenerator<Row[]> {
  const keys = tableKeys[table];
  const columns = sql.join(keys.map((key) => sql.ref(key)));
  let after: RawBuilder<unknown> = sql``;
  for (;;) {
    const { rows } = await sql<Row>`select * from ${sql.table(table)} ${after}
      order by ${columns} limit ${sql.lit(pageSize)}`.execute(db);
    if (rows.length > 0) yield rows.map(withoutComputed);
    const last = rows.at(-1);
    if (rows.length < pageSize || !last) return;
    after = sql`where (${columns}) > (${sql.join(keys.map((key) => sql`${last[key]}`))})`;
  }
}

function withoutComputed(row: Row): Row {
  return Object.fromEntries(Object.entries(row).filter(([column]) => !computedColumns.includes(column)));
}

/** Copies every row of a table; call it inside a transaction. */
export async function copyTable(from: Db, to: Db, table: TableName): Promise<void> {
  for await (const rows of readRows(from, table)) {
    await to
      .insertInto(table)
      .values(rows as never)
      .execute();
  }
  if (!(to.getExecutor().adapter instanceof PostgresAdapter)) return;
  // The next row's number comes after those that were copied.
  const [key] = tableKeys[table];
  // The audit trail numbers its rows itself.
  if (!['seq', 'target_id', 'annotation_id'].includes(key) || table === 'audit_log') return;
  const column = sql.ref(key);
  await sql`select setval(pg_get_serial_sequence(${table}, ${key}), coalesce(max(${column}), 0) + 1, false)
    from ${sql.table(table)}`.execute(to);
}

/** Count of the rows of a table and the sum of their SHA-256: the same on every engine, in whatever order. */
export async function digestTable(db: Db, table: TableName): Promise<{ rows: number; hash: string }> {
  let sum = 0n;
  let count = 0;
  for await (const rows of readRows(db, table)) {
    for (const row of rows) {
      const sorted = Object.entries(row).sort(([one], [other]) => (one < other ? -1 : 1));
      sum += BigInt(`0x${createHash('sha256').update(JSON.stringify(sorted)).digest('hex')}`);
    }
    count += rows.length;
  }
  return { rows: count, hash: BigInt.asUintN(256, sum).toString(16) };
}
