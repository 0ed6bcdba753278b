import { type Migration, Migrator } from 'kysely';
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
};

/**
 * Brings the database to this release's schema, or only as far as the migration `last`.
 * @throws where a step fails; what was applied before it stays.
 */
export async function migrate(db: Db, last?: string): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  const { error } = await (last === undefined ? migrator.migrateToLatest() : migrator.migrateTo(last));
  if (error) throw error;
}
