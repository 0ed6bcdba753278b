import { type Migration, Migrator, sql } from 'kysely';
import type { Db } from './database.ts';
import { migration0001 } from './migrations/0001-initial.ts';
import { migration0002 } from './migrations/0002-jobs.ts';
import { migration0003 } from './migrations/0003-deliveries.ts';
import { migration0004 } from './migrations/0004-target-references.ts';
import { migration0005 } from './migrations/0005-list-counts.ts';
import { migration0006 } from './migrations/0006-image-totals.ts';
import { migration0007 } from './migrations/0007-refinements.ts';
import { migration0008 } from './migrations/0008-items-by-time.ts';
import { migration0009 } from './migrations/0009-list-times.ts';
import { migration0010 } from './migrations/0010-name-grams.ts';
import { migration0011 } from './migrations/0011-items-in-progress.ts';
import { migration0012 } from './migrations/0012-model-versions.ts';
import { migration0013 } from './migrations/0013-latest-model.ts';
import { migration0014 } from './migrations/0014-score-layers.ts';
import { migration0015 } from './migrations/0015-bucket-sizes.ts';

/** In order; a released migration is never changed, a new one is added. */
const migrations: Record<string, Migration> = {
  '0001-initial': migration0001,
  '0002-jobs': migration0002,
  '0003-deliveries': migration0003,
  '0004-target-references': migration0004,
  '0005-list-counts': migration0005,
  '0006-image-totals': migration0006,
  '0007-refinements': migration0007,
  '0008-items-by-time': migration0008,
  '0009-list-times': migration0009,
  '0010-name-grams': migration0010,
  '0011-items-in-progress': migration0011,
  '0012-model-versions': migration0012,
  '0013-latest-model': migration0013,
  '0014-score-layers': migration0014,
  '0015-bucket-sizes': migration0015,
};

/**
 * Brings the database to this release's schema, or only as far as the migration `last`.
 * @throws NewerDatabaseError where a later release has been at work; the error of a step that fails, what was applied
 * before it stays.
 */
export async function migrate(db: Db, last?: string): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  const { error } = await (last === undefined ? migrator.migrateToLatest() : migrator.migrateTo(last));
  if (!error) return;
  const unknown = await findUnknownMigrations(db).catch(() => []);
  throw unknown.length > 0 ? new NewerDatabaseError(unknown) : error;
}

/** Steps that the database has behind it and this release does not know. */
export async function findUnknownMigrations(db: Db): Promise<string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some(({ name }) => name === 'kysely_migration')) return [];
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  return rows.map(({ name }) => name).filter((name) => !(name in migrations));
}

/** An older release must not touch what it cannot understand. */
export class NewerDatabaseError extends Error {
  override readonly name = 'NewerDatabaseError';

  constructor(unknown: readonly string[]) {
    const last = Object.keys(migrations).at(-1);
    super(
      `The database was written by a newer release of Kensa: it has ${unknown.join(', ')}, this release knows steps up to ${last}. ` +
        'Nothing was changed. Start the newer release, or restore the backup that was made before it.',
    );
  }
}
