import { type Kysely, type Migration, PostgresAdapter, sql } from 'kysely';
import { rebuildListCounts } from '../rebuild-list-counts.ts';
import { postgresListCounts } from './list-counts.postgres.ts';
import { sqliteListCounts } from './list-counts.sqlite.ts';

/** The counts of migration 0005 are kept for buckets of two sizes, so that a list reads few of them however long it is. */
export const migration0015: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
    for (const [name, table] of triggers) {
      await sql`drop trigger if exists ${sql.id(name)} ${isPostgres ? sql`on ${sql.id(table)}` : sql``}`.execute(db);
    }
    await sql`drop index list_counts_key`.execute(db);
    await sql`delete from list_counts`.execute(db);
    await sql`alter table list_counts add column size integer not null default 0`.execute(db);
    await sql`create ${sql.raw(isPostgres ? '' : 'unique')} index list_counts_key
      on list_counts (scope, size, bucket, facet)
      ${sql.raw(isPostgres ? 'include (count, first_at, last_at)' : '')}`.execute(db);
    await rebuildListCounts(db);
    for (const statement of isPostgres ? postgresListCounts : sqliteListCounts) await sql.raw(statement).execute(db);
  },
};

/** Of a database that had them before this migration. */
const triggers = [
  ['items_counted_in', 'items'],
  ['items_counted_out', 'items'],
  ['items_counted_over', 'items'],
  ['assessments_placed', 'assessments'],
  ['assessments_counted_in', 'assessments'],
  ['assessments_counted_over', 'assessments'],
  ['assessments_judged_over', 'assessments'],
  ['assessments_counted_out', 'assessments'],
] as const;
