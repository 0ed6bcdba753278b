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

/** All rows of a statement at once, in the order of the index. */
const postgresGrams = (rows: 'gone' | 'come'): string =>
  `select distinct substr(folded_name, i, 4) as gram, seq
    from ${rows}, generate_series(1, length(folded_name)) as i order by 1, 2`;
const postgresIn = `insert into item_name_grams (gram, seq) ${postgresGrams('come')};`;
const postgresOut = `delete from item_name_grams where (gram, seq) in (${postgresGrams('gone')});`;

const postgresName = (name: string, event: string, tables: string, body: string): string[] => [
  `create function ${name}() returns trigger language plpgsql as $$ begin ${body} return null; end $$`,
  `create trigger ${name} after ${event} on items referencing ${tables} for each statement execute function ${name}()`,
];

const postgresNames: readonly string[] = [
  ...postgresName('items_named_in', 'insert', 'new table as come', postgresIn),
  ...postgresName('items_named_out', 'delete', 'old table as gone', postgresOut),
  // A trigger that is given the rows cannot be bound to a column.
  `create function items_named_over() returns trigger language plpgsql as $$ begin
    delete from item_name_grams where seq = old.seq and gram in
      (select substr(old.folded_name, i, 4) from generate_series(1, length(old.folded_name)) as i);
    insert into item_name_grams (gram, seq)
      select distinct substr(new.folded_name, i, 4), new.seq from generate_series(1, length(new.folded_name)) as i;
    return null;
  end $$`,
  `create trigger items_named_over after update of name on items for each row
    when (old.name is distinct from new.name) execute function items_named_over()`,
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
