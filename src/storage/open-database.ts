import { join } from 'node:path';
import { Kysely, PostgresDialect, SqliteDialect } from 'kysely';
import { connectPostgres } from './connect-postgres.ts';
import type { Database, Db } from './database.ts';
import { openPrivateDatabase } from './sqlite-driver.ts';

/** The one place that knows which dialect is in use. */
export function openDatabase(location: { dataDir: string } | { url: string; onError?: (error: Error) => void }): Db {
  if (!('url' in location)) return new Kysely<Database>({ dialect: sqlite(location.dataDir) });
  const { url, onError = () => {} } = location;
  return new Kysely<Database>({ dialect: new PostgresDialect({ pool: () => connectPostgres(url, onError) }) });
}

function sqlite(dataDir: string): SqliteDialect {
  const database = openPrivateDatabase(join(dataDir, 'kensa.db'));
  database.pragma('journal_mode = WAL');
  // FULL: a commit is on the disk before it is acknowledged, so that a power cut loses nothing.
  database.pragma('synchronous = FULL');
  database.pragma('foreign_keys = ON');
  database.pragma('busy_timeout = 5000');
  database.pragma('cache_size = -16384');
  return new SqliteDialect({ database });
}
