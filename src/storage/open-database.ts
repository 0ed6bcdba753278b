import { join } from 'node:path';
import { Kysely, PostgresDialect, SqliteDialect } from 'kysely';
import type { Database, Db } from './database.ts';
import { SqliteDatabase } from './sqlite-driver.ts';

/** The one place that knows which dialect is in use. */
export function openDatabase(location: { dataDir: string } | { url: string; onError?: (error: Error) => void }): Db {
  return new Kysely<Database>({ dialect: 'url' in location ? postgres(location) : sqlite(location.dataDir) });
}

function sqlite(dataDir: string): SqliteDialect {
  const database = new SqliteDatabase(join(dataDir, 'kensa.db'));
  database.pragma('journal_mode = WAL');
  // FULL: a commit is on the disk before it is acknowledged, so that a power cut loses nothing.
  database.pragma('synchronous = FULL');
  database.pragma('foreign_keys = ON');
  database.pragma('busy_timeout = 5000');
  database.pragma('cache_size = -16384');
  return new SqliteDialect({ database: database });
}

function postgres({ url, onError = () => {} }: { url: string; onError?: (error: Error) => void }): PostgresDialect {
  const openPool = async () => {
    // Not loaded where it is not used: a start waits for every module.
    const { default: pg } = await import('pg');
    const pool = new pg.Pool({
      connectionString: url,
      max: 16,
      connectionTimeoutMillis: 10_000,
      // A process that is cut off in the middle of a transaction keeps its rows from the others for less than a job's lease.
      // No transaction of ours waits for anything but the database between two statements.
      idle_in_transaction_session_timeout: 12_000,
      // Compiling a query takes a quarter of a second where its cost is overrated; none of ours runs long enough to win that back.
      options: '-c jit=off',
    });
    // A connection that breaks fails the query on it and is replaced at the next; unheard, it would end the process.
    pool.on('error', onError);
    pool.on('connect', (client) => client.on('error', onError));
    return pool;
  };
  return new PostgresDialect({ pool: openPool });
}
