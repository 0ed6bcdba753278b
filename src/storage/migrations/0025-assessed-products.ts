import { type Kysely, type Migration, PostgresAdapter, sql } from 'kysely';
import { bit, count, sqliteVerdicts } from './count-triggers.ts';

/** Verdicts know the product of their item, so that the list of a model and a product is counted and found by an index. */
export const assessedProductsMigration: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
    const statements = [
      'alter table assessments add column item_target integer',
      `update assessments set item_target = (select target_id from items where items.item_id = assessments.item_id)`,
      ...(isPostgres ? postgresTriggers : sqliteTriggers),
      `insert into counts (scope, list_kind, count, bytes)
        select ${scopeOf('assessments')}, list_kind, count(*), 0 from assessments
        where list_kind is not null group by model_id, item_target, list_kind`,
      'create index assessments_by_target on assessments (model_id, item_target, list_kind, item_seq)',
      'drop index assessments_by_score',
      `create index assessments_by_score on assessments
        (model_id, anomaly_score, item_seq, list_kind, item_target)`,
    ];
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};

/** See `modelScope`. */
const scopeOf = (row: string): string => `${row}.model_id || '@' || ${row}.item_target`;

const sqliteTriggers: readonly string[] = [
  'drop trigger assessments_counted_in',
  'drop trigger assessments_counted_over',
  'drop trigger assessments_counted_out',
  `create trigger assessments_counted_in after insert on assessments begin
    update assessments set (item_seq, list_kind, item_target) =
      (select seq, list_kind % 6 + 6 * ${bit('new')}, target_id from items where item_id = new.item_id)
    where seq = new.seq;
    update items set verdicts = verdicts | ${bit('new')} where item_id = new.item_id;
  end`,
  `create trigger assessments_counted_over after update of list_kind on assessments
  when old.list_kind is not new.list_kind begin
    ${count('old.model_id', 'old.list_kind', '-1')} ${count('new.model_id', 'new.list_kind', '1')}
    ${count(scopeOf('old'), 'old.list_kind', '-1')} ${count(scopeOf('new'), 'new.list_kind', '1')}
  end`,
  `create trigger assessments_counted_out after delete on assessments begin
    ${count('old.model_id', 'old.list_kind', '-1')} ${count(scopeOf('old'), 'old.list_kind', '-1')}
    ${sqliteVerdicts('old.item_id')}
  end`,
];

const postgresTriggers: readonly string[] = [
  `create or replace function place_assessment() returns trigger language plpgsql as $$ begin
    perform 1 from models where model_id = new.model_id for key share;
    if not found then raise exception 'There is no model % any more.', new.model_id; end if;
    select seq, list_kind % 6 + 6 * ${bit('new')}, target_id into new.item_seq, new.list_kind, new.item_target
      from items where item_id = new.item_id for no key update;
    if not found then raise exception 'There is no item % any more.', new.item_id; end if;
    return new;
  end $$`,
  `create or replace function count_assessments() returns trigger language plpgsql as $$ begin
    if tg_op = 'UPDATE' and old.list_kind is not distinct from new.list_kind then return null; end if;
    if tg_op <> 'INSERT' then
      perform count_in(old.model_id, old.list_kind, -1, 0);
      perform count_in(${scopeOf('old')}, old.list_kind, -1, 0);
    end if;
    if tg_op <> 'DELETE' then
      perform count_in(new.model_id, new.list_kind, 1, 0);
      perform count_in(${scopeOf('new')}, new.list_kind, 1, 0);
    end if;
    if tg_op = 'INSERT' then
      update items set verdicts = verdicts | ${bit('new')} where item_id = new.item_id;
    elsif tg_op = 'DELETE' then
      perform 1 from items where item_id = old.item_id for no key update;
      update items set verdicts =
        (select coalesce(bit_or(${bit('a')}), 0) from assessments a where a.item_id = old.item_id)
        where item_id = old.item_id;
    end if;
    return null;
  end $$`,
];
