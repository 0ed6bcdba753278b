import { type Kysely, type Migration, PostgresAdapter, sql } from 'kysely';
import { rebuildNameGrams } from '../rebuild-name-grams.ts';

/** Four letters from each place of a name on, fewer at its end. One who searches for a part of it finds the part here. */
const grams = (row: 'new' | 'old', places: string): string =>
  `select distinct substr(${row}.folded_name, i, 4) as gram, ${row}.seq as seq from ${places}`;

const sqliteGrams = (row: 'new' | 'old'): string =>
  grams(
    row,
    `(with recursive place(i) as
      (select 1 union all select i + 1 from place where i < length(${row}.folded_name)) select i from place)`,
  );
const sqliteIn = `insert into item_name_grams (gram, seq) ${sqliteGrams('new')};`;
const sqliteOut = `delete from item_name_grams where (gram, seq) in (${sqliteGrams('old')});`;

const sqliteNames: readonly string[] = [
  `create trigger items_named_in after insert on items begin ${sqliteIn} end`,
  `create trigger items_named_out after delete on items begin ${sqliteOut} end`,
  `create trigger items_named_over after update of name on items begin ${sqliteOut} ${sqliteIn} end`,
];

const postgresGrams = (row: 'new' | 'old'): string => grams(row, `generate_series(1, length(${row}.folded_name)) as i`);

const postgresNames: readonly string[] = [
  `create function name_item() returns trigger language plpgsql as $$ begin
    if tg_op <> 'INSERT' then
      delete from item_name_grams where (gram, seq) in (${postgresGrams('old')});
    end if;
    if tg_op <> 'DELETE' then
      insert into item_name_grams (gram, seq) ${postgresGrams('new')};
    end if;
    return null;
  end $$`,
  `create trigger items_named after insert or delete or update of name on items
    for each row execute function name_item()`,
];

export const migration0010: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
    // The letters A to Z only, on both engines and in every locale.
    const folded = sql.raw(isPostgres ? '(lower(name collate "C")) stored' : '(lower(name)) virtual');
    await sql`alter table items add column folded_name text generated always as ${folded}`.execute(db);
    await sql`create table item_name_grams (
      gram text ${sql.raw(isPostgres ? 'collate "C"' : '')} not null, seq integer not null, primary key (gram, seq)
    ) ${sql.raw(isPostgres ? '' : 'without rowid')}`.execute(db);
    await rebuildNameGrams(db);
    for (const statement of isPostgres ? postgresNames : sqliteNames) await sql.raw(statement).execute(db);
  },
};
