import { PostgresAdapter, type QueryExecutorProvider, sql } from 'kysely';
import { foldName } from '../fold-name.ts';
import { addListIndexes } from './0016-initial.ts';

/** Brings the schema of migration 0015 to that of the initial migration 0016. Items and verdicts stay as they are. */
export async function adopt0015(db: QueryExecutorProvider): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  const run = async (...statements: string[]): Promise<void> => {
    for (const statement of statements) await sql.raw(statement).execute(db);
  };
  if (isPostgres) {
    for (const name of postgresFunctions) await run(`drop function ${name} cascade`);
  } else {
    const triggers = await sql<{ name: string }>`select name from sqlite_master where type = 'trigger'`.execute(db);
    for (const { name } of triggers.rows) await run(`drop trigger ${name}`);
  }
  await run(
    'drop table list_counts',
    'drop table image_totals',
    'drop table item_name_grams',
    'drop index items_by_type',
    'drop index items_by_facet',
    'drop index assessments_by_facet',
    'alter table items rename column facet to list_kind',
    'alter table assessments rename column facet to list_kind',
    'alter table items drop column folded_name',
    "alter table items add column folded_name text not null default ''",
  );
  await foldNames(db);
  await addListIndexes(db);
  if (!isPostgres) await run('insert into item_names (rowid, folded_name) select seq, folded_name from items');
  await run(
    "insert into counts select 'items', list_kind, count(*), 0 from items group by list_kind",
    `insert into counts select model_id, list_kind, count(*), 0 from assessments
      where list_kind is not null group by model_id, list_kind`,
    `insert into counts select 'images', 0, count(*), sum(file_size) from item_images having count(*) > 0`,
  );
}

/** With each function go its triggers. */
const postgresFunctions: readonly string[] = [
  'count_in_list',
  'total_images',
  'items_counted_in',
  'items_counted_out',
  'items_counted_over',
  'items_named_in',
  'items_named_out',
  'items_named_over',
  'assessments_placed',
  'assessments_counted_in',
  'assessments_counted_over',
  'assessments_counted_out',
];

async function foldNames(db: QueryExecutorProvider): Promise<void> {
  const itemsPerUpdate = 500;
  let after = 0;
  while (true) {
    const { rows } = await sql<{ seq: number; name: string }>`select seq, name from items
      where seq > ${after} order by seq limit ${itemsPerUpdate}`.execute(db);
    const last = rows.at(-1);
    if (!last) return;
    const folded = sql.join(rows.map(({ seq, name }) => sql`(${sql.lit(seq)}, ${foldName(name)})`));
    await sql`update items set folded_name = given.column2 from (values ${folded}) as given
      where items.seq = given.column1`.execute(db);
    after = last.seq;
  }
}
