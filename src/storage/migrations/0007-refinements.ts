import type { Kysely, Migration } from 'kysely';

export const migration0007: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema.alterTable('models').addColumn('refinement', 'text').execute();
  },
};
