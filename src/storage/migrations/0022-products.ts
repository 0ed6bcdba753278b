import { type Kysely, type Migration, sql } from 'kysely';

/** Each item is of a product: the inspection target that it was uploaded for. Items of before are of the default one. */
export const productsMigration: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    const found = await sql<{ target_id: number }>`select target_id from targets where is_default = 1`.execute(db);
    // A constant default costs the same for a million items.
    const target = sql.lit(found.rows[0]?.target_id ?? 1);
    await sql`alter table items add column target_id integer not null default ${target}`.execute(db);
    await sql`create index items_by_target on items (target_id, list_kind, seq)`.execute(db);
  },
};
