import { sql } from 'kysely';
import { afterAll, describe, expect, it } from 'vitest';
import { describeFailure } from '../../src/cli/command-error.ts';
import { findUnknownMigrations, migrate } from '../../src/storage/migrate.ts';
import { backendsHere, openTestDatabase, stopTestPostgres } from '../support/backends.ts';

afterAll(stopTestPostgres);

describe.each(backendsHere)('a database of a newer release on %s', (backend) => {
  it('is refused in words and left as it is', async () => {
    const { db, close } = await openTestDatabase(backend);
    try {
      await migrate(db);
      expect(await findUnknownMigrations(db)).toEqual([]);
      await sql`insert into kysely_migration values ('9999-later', '2030-01-01T00:00:00Z')`.execute(db);
      expect(describeFailure(await migrate(db).catch((error: unknown) => error))).toMatch(
        /newer release of Kensa: it has 9999-later, .*restore the backup/s,
      );
      expect(await findUnknownMigrations(db)).toEqual(['9999-later']);
    } finally {
      await close();
    }
  });
});
