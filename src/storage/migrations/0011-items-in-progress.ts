import { type Kysely, type Migration, sql } from 'kysely';

/** For lists of what waits, runs or failed: few items at any time, so that going through them costs little. */
export const migration0011: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`create index items_in_progress on items (status, seq)
      where status in ('queued', 'processing', 'failed')`.execute(db);
  },
};
