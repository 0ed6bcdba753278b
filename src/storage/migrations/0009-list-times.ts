import { type Kysely, type Migration, PostgresAdapter, sql } from 'kysely';

/**
 * The counts of migration 0005 also say when the counted items came, so that a list of a stretch of time reads the items
 * at its two ends only. The index by time, whose use grew with that stretch, goes.
 */
export const migration0009: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema.alterTable('list_counts').addColumn('first_at', 'text').execute();
    await db.schema.alterTable('list_counts').addColumn('last_at', 'text').execute();
    if (db.getExecutor().adapter instanceof PostgresAdapter) {
      await sql`drop index list_counts_key`.execute(db);
      await sql`create index list_counts_key on list_counts (scope, bucket, facet)
        include (count, first_at, last_at)`.execute(db);
    }
    await sql`drop index items_by_time`.execute(db);
  },
};
