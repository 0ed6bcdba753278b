import { type Kysely, type Migration, PostgresAdapter, sql } from 'kysely';

const keepFirst = `update items set first_result = new.result, first_assessed_at = new.predicted_at
  where item_id = new.item_id and first_assessed_at is null;`;

/** Items keep their first verdict, so that the figures of a day stay when another model becomes active or is deleted. */
export const firstVerdictsMigration: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
    const statements = [
      'alter table items add column first_result text',
      'alter table items add column first_assessed_at text',
      `update items set (first_result, first_assessed_at) = (select result, predicted_at from assessments
        where assessments.item_id = items.item_id order by assessments.seq limit 1) where verdicts <> 0`,
      'create index items_by_first_verdict on items (first_assessed_at, is_training, target_id, first_result)',
      ...(isPostgres
        ? [
            `create function keep_first_verdict() returns trigger language plpgsql as $$ begin
              ${keepFirst} return null;
            end $$`,
            `create trigger assessments_kept_first after insert on assessments
              for each row execute function keep_first_verdict()`,
          ]
        : [`create trigger assessments_kept_first after insert on assessments begin ${keepFirst} end`]),
    ];
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
