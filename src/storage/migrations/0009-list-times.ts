import { type Kysely, type Migration, PostgresAdapter, sql } from 'kysely';
import { rebuildListCounts } from '../rebuild-list-counts.ts';
import { postgresListCounts } from './list-counts.postgres.ts';
import { sqliteListCounts } from './list-counts.sqlite.ts';

/**
 * The counts of migration 0005 also say when the counted items came, so that a list of a stretch of time reads the items
 * at its two ends only. The index by time, whose use grew with that stretch, goes.
 */
export const migration0009: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
    await db.schema.alterTable('list_counts').addColumn('first_at', 'text').execute();
    await db.schema.alterTable('list_counts').addColumn('last_at', 'text').execute();
    if (isPostgres) {
      await sql`drop index list_counts_key`.execute(db);
      await sql`create index list_counts_key on list_counts (scope, bucket, facet)
        include (count, first_at, last_at)`.execute(db);
    } else {
      for (const name of sqliteListTriggers) await sql`drop trigger if exists ${sql.id(name)}`.execute(db);
    }
    await sql`drop index items_by_time`.execute(db);
    await rebuildListCounts(db);
    for (const statement of isPostgres ? postgresListCounts : sqliteListCounts) await sql.raw(statement).execute(db);
  },
};

const sqliteListTriggers = [
  'items_counted_in',
  'items_counted_out',
  'items_counted_over',
  'assessments_counted_in',
  'assessments_counted_over',
  'assessments_judged_over',
  'assessments_counted_out',
];
