import type { Kysely, Migration } from 'kysely';

export const migration0004: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .alterTable('targets')
      .addColumn('step_references', 'text', (c) => c.notNull().defaultTo('{}'))
      .execute();
  },
};
