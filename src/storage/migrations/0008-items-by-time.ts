import type { Kysely, Migration } from 'kysely';

/** For lists of a stretch of time, whose cost is then that of what lies in it. */
export const migration0008: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema.createIndex('items_by_time').on('items').columns(['is_training', 'created_at', 'seq']).execute();
  },
};
