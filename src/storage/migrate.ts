import { type Migration, Migrator, PostgresAdapter, sql } from 'kysely';
import { ConfigError } from '../config.ts';
import type { Db } from './database.ts';
import { initialMigration } from './migrations/0016-initial.ts';
import { stationsMigration } from './migrations/0017-stations.ts';
import { peopleMigration } from './migrations/0018-people.ts';
import { sourcesMigration } from './migrations/0019-sources.ts';
import { retentionMigration } from './migrations/0020-retention.ts';
import { stationOutputsMigration } from './migrations/0021-station-outputs.ts';
import { productsMigration } from './migrations/0022-products.ts';
import { sourcePathMigration } from './migrations/0023-source-path.ts';
import { productListsMigration } from './migrations/0024-product-lists.ts';
import { assessedProductsMigration } from './migrations/0025-assessed-products.ts';
import { terminalsMigration } from './migrations/0026-terminals.ts';
import { firstVerdictsMigration } from './migrations/0027-first-verdicts.ts';
import { adopt0015 } from './migrations/adopt-0015.ts';

const initial = '0016-initial';

/** In order; a released migration is never changed, a new one is added. */
const migrations: Record<string, Migration> = {
  [initial]: initialMigration,
  '0017-stations': stationsMigration,
  '0018-people': peopleMigration,
  '0019-sources': sourcesMigration,
  '0020-retention': retentionMigration,
  '0021-station-outputs': stationOutputsMigration,
  '0022-products': productsMigration,
  '0023-source-path': sourcePathMigration,
  '0024-product-lists': productListsMigration,
  '0025-assessed-products': assessedProductsMigration,
  '0026-terminals': terminalsMigration,
  '0027-first-verdicts': firstVerdictsMigration,
};

/** The migrations of the versions before the initial one took their place. */
const earlierNames = /^00(0[1-9]|1[0-5])-/;
const lastEarlier = '0015-bucket-sizes';

/**
 * Brings the database to this release's schema.
 * @throws ConfigError where a later release, or one before migration 0015, wrote the database, or where PostgreSQL lacks
 * pg_trgm. The database stays as it was.
 */
export async function migrate(db: Db): Promise<void> {
  try {
    await adoptEarlier(db);
    const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
    const { error } = await migrator.migrateToLatest();
    if (error) throw error;
  } catch (error) {
    const unknown = await findUnknownMigrations(db).catch(() => []);
    if (unknown.length > 0) throw newerDatabase(unknown);
    throw error instanceof Error && error.message.includes('pg_trgm') ? missingExtension(error) : error;
  }
}

/** In one transaction: a process that is killed meanwhile leaves the database as it was. */
async function adoptEarlier(db: Db): Promise<void> {
  if (!(await listApplied(db)).some((name) => earlierNames.test(name))) return;
  await db.transaction().execute(async (trx) => {
    // Of several processes that start at the same time, one does the work and the others wait for it.
    if (trx.getExecutor().adapter instanceof PostgresAdapter) {
      await sql`lock table kysely_migration in exclusive mode`.execute(trx);
    }
    const applied = await listApplied(trx);
    if (!applied.some((name) => earlierNames.test(name))) return;
    const last = applied.at(-1) ?? '';
    // One of a newer release is refused further on.
    if (last > initial) return;
    if (last !== lastEarlier) throw olderDatabase(last);
    await adopt0015(trx);
    await sql`delete from kysely_migration`.execute(trx);
    await sql`insert into kysely_migration (name, timestamp) values (${initial}, ${new Date().toISOString()})`.execute(
      trx,
    );
  });
}

/** @throws ConfigError where this release is not the one that brought the database to its schema */
export async function requireMigrated(db: Db): Promise<void> {
  const unknown = await findUnknownMigrations(db);
  if (unknown.length > 0) throw newerDatabase(unknown);
  const applied = await listApplied(db);
  const missing = Object.keys(migrations).filter((name) => !applied.includes(name));
  if (missing.length > 0)
    throw new ConfigError(
      `The service that runs is of an earlier release: its database lacks ${missing.join(', ')}. Nothing was changed. ` +
        'Use the command of that release, or start this release of the service first.',
    );
}

/** Migrations that the database has behind it and this release does not know. */
export async function findUnknownMigrations(db: Db): Promise<string[]> {
  return (await listApplied(db)).filter((name) => !(name in migrations) && !earlierNames.test(name));
}

async function listApplied(db: Db): Promise<string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some(({ name }) => name === 'kysely_migration')) return [];
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  return rows.map(({ name }) => name);
}

/** An older release must not touch a database that it cannot understand. */
export function newerDatabase(unknown: readonly string[]): ConfigError {
  const last = Object.keys(migrations).at(-1);
  return new ConfigError(
    `The database was written by a newer release of Kensa: it has ${unknown.join(', ')}, this release knows steps up to ${last}. ` +
      'Nothing was changed. Start the newer release, or restore the backup that was made before it.',
  );
}

function olderDatabase(last: string): ConfigError {
  return new ConfigError(
    `The database was written by a version of Kensa that this one cannot read: its last step is ${last}, ` +
      `this version reads databases from step ${lastEarlier} on. Nothing was changed. ` +
      `Start a version that has step ${lastEarlier} once, which brings the database there, then this one.`,
  );
}

function missingExtension(cause: Error): ConfigError {
  return new ConfigError(
    `PostgreSQL refused its extension pg_trgm, which the search for names needs: ${cause.message}. ` +
      'Nothing was changed. Install the package of PostgreSQL that has it (postgresql-contrib; on Debian the server ' +
      'package itself), or let an administrator run "create extension pg_trgm" in this database. Then start again.',
    { cause },
  );
}
