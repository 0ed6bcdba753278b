import { type Kysely, type Migration, sql } from 'kysely';

/** Items of watched folders know their file, so that a result can be written beside it. */
export const sourcePathMigration: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql.raw('alter table items add column source_path text').execute(db);
  },
};
