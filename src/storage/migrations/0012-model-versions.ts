import { type Kysely, type Migration, sql } from 'kysely';

/** The highest version given so far, so that a deleted model's number never names another one. */
export const migration0012: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable('model_versions')
      .addColumn('algorithm_id', 'text', (c) => c.notNull())
      .addColumn('context_id', 'integer', (c) => c.notNull())
      .addColumn('version', 'integer', (c) => c.notNull())
      .addPrimaryKeyConstraint('model_versions_key', ['algorithm_id', 'context_id'])
      .execute();
    await sql`insert into model_versions (algorithm_id, context_id, version)
      select algorithm_id, context_id, max(version) from models group by algorithm_id, context_id`.execute(db);
  },
};
