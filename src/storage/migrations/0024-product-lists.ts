import { type Kysely, type Migration, PostgresAdapter, sql } from 'kysely';
import { count } from './count-triggers.ts';

/** `counts` has the items by product, and the verdicts of a model are found in the order of their scores. */
export const productListsMigration: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
    const statements = [
      ...(isPostgres ? postgresTriggers : sqliteTriggers),
      "delete from counts where scope = 'items'",
      `insert into counts (scope, list_kind, count, bytes)
        select 'items-' || target_id, list_kind, count(*), 0 from items group by target_id, list_kind`,
      `create index assessments_by_score on assessments
        (model_id, anomaly_score, item_seq, list_kind)`,
    ];
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};

/** An item never changes its product. */
const scopeOf = (row: string): string => `'items-' || ${row}.target_id`;

const sqliteTriggers: readonly string[] = [
  'drop trigger items_counted_in',
  'drop trigger items_counted_out',
  'drop trigger items_counted_over',
  `create trigger items_counted_in after insert on items begin ${count(scopeOf('new'), 'new.list_kind', '1')} end`,
  `create trigger items_counted_out after delete on items begin ${count(scopeOf('old'), 'old.list_kind', '-1')} end`,
  `create trigger items_counted_over after update of user_result, verdicts, is_training on items
  when old.list_kind <> new.list_kind begin
    ${count(scopeOf('old'), 'old.list_kind', '-1')} ${count(scopeOf('new'), 'new.list_kind', '1')}
    update assessments set list_kind = new.list_kind % 6 + list_kind / 6 * 6
    where item_id = new.item_id and old.list_kind % 6 <> new.list_kind % 6;
  end`,
];

const postgresTriggers: readonly string[] = [
  `create or replace function count_items() returns trigger language plpgsql as $$ begin
    if tg_op = 'UPDATE' and old.list_kind = new.list_kind then return null; end if;
    if tg_op <> 'INSERT' then perform count_in(${scopeOf('old')}, old.list_kind, -1, 0); end if;
    if tg_op <> 'DELETE' then perform count_in(${scopeOf('new')}, new.list_kind, 1, 0); end if;
    if tg_op = 'UPDATE' and old.list_kind % 6 <> new.list_kind % 6 then
      update assessments set list_kind = new.list_kind % 6 + list_kind / 6 * 6 where item_id = new.item_id;
    end if;
    return null;
  end $$`,
];
