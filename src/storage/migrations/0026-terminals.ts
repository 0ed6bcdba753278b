import { type Kysely, type Migration, sql } from 'kysely';

const statements: readonly string[] = [
  'alter table terminals add column address text',
  'alter table terminals add column used_at text',
  'alter table sessions add column terminal_hash text',
];

/** Where a shared terminal stands, when somebody signed in there last, and which session is there. */
export const terminalsMigration: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
