import type { Kysely, Migration } from 'kysely';

/** Null on every item that waits for one prediction at most, so nothing is to be filled in. */
export const migration0013: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema.alterTable('items').addColumn('latest_model_id', 'text').execute();
  },
};
