import { join } from 'node:path';
import {
  CompiledQuery,
  type DatabaseConnection,
  Kysely,
  PostgresDialect,
  SqliteDialect,
  type SqliteDialectConfig,
  SqliteDriver,
} from 'kysely';
import type { Pool } from 'pg';
import { type Config, ConfigError } from '../config.ts';
import type { BlobStore } from './blobs/blob-store.ts';
import { createDiskBlobStore } from './blobs/disk-blob-store.ts';
import { createS3BlobStore, parseS3Url } from './blobs/s3-blob-store.ts';
import { cachedStatements } from './cached-statements.ts';
import { DataDirLockedError, ensureDataDir, lockDataDir, openPrivateDatabase } from './data-dir.ts';
import type { Database, Db } from './database.ts';

export interface Storage {
  readonly db: Db;
  readonly blobs: BlobStore;
  close(): Promise<void>;
}

type StorageSettings = Pick<Config, 'KENSA_DATA_DIR'> & Partial<Config>;

/**
 * PostgreSQL where DATABASE_URL is set, else SQLite in the data folder, which is then this process's alone; S3 where
 * BLOB_URL is set, else files in the data folder. @throws DataDirLockedError while another process has the folder.
 */
export function openStorage(settings: StorageSettings, onError: (error: Error) => void = () => {}): Storage {
  const { KENSA_DATA_DIR: dataDir, DATABASE_URL: url } = settings;
  const blobs = openBlobs(settings);
  ensureDataDir(dataDir);
  if (url !== undefined) {
    const db = openDatabase({ url, onError });
    return { db, blobs, close: () => db.destroy() };
  }
  const unlock = lockDataDir(dataDir);
  try {
    const db = openDatabase({ dataDir });
    return { db, blobs, close: () => db.destroy().finally(unlock) };
  } catch (error) {
    unlock();
    throw error;
  }
}

/**
 * The database alone, for a command that works while the service runs.
 * @returns also whether it is this process's alone; else a running service has brought it to its own release
 */
export function openDatabaseBeside(settings: StorageSettings): { db: Db; isAlone: boolean; close(): Promise<void> } {
  const { KENSA_DATA_DIR: dataDir, DATABASE_URL: url } = settings;
  if (url !== undefined) {
    const db = openDatabase({ url });
    return { db, isAlone: true, close: () => db.destroy() };
  }
  try {
    return { ...openStorage(settings), isAlone: true };
  } catch (error) {
    if (!(error instanceof DataDirLockedError)) throw error;
    const db = openDatabase({ dataDir });
    return { db, isAlone: false, close: () => db.destroy() };
  }
}

function openBlobs(settings: StorageSettings): BlobStore {
  if (settings.BLOB_URL === undefined) return createDiskBlobStore(join(settings.KENSA_DATA_DIR, 'blobs'));
  return createS3BlobStore(parseS3Url(settings.BLOB_URL, settings));
}

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
  return new ImmediateSqliteDialect({ database: cachedStatements(database) });
}

/**
 * A transaction takes the right to write when it begins. If it began by reading, a write of another process in between,
 * such as `kensa user add`, would make its own writes fail.
 */
class ImmediateSqliteDialect extends SqliteDialect {
  readonly #config: SqliteDialectConfig;

  constructor(config: SqliteDialectConfig) {
    super(config);
    this.#config = config;
  }

  override createDriver(): SqliteDriver {
    const driver = new SqliteDriver(this.#config);
    driver.beginTransaction = async (connection: DatabaseConnection) => {
      await connection.executeQuery(CompiledQuery.raw('begin immediate'));
    };
    return driver;
  }
}

const connectSeconds = 10;

/**
 * A pool of connections to the PostgreSQL server of DATABASE_URL, tried with one connection.
 * @throws ConfigError that says in words why the URL cannot be used, without its password.
 */
async function connectPostgres(url: string, onError: (error: Error) => void): Promise<Pool> {
  if (!URL.canParse(url)) {
    throw new ConfigError('DATABASE_URL: it is not a URL. Write it as postgresql://USER:PASSWORD@HOST:PORT/DATABASE.');
  }
  // Not loaded where it is not used: a start waits for every module.
  const { default: pg } = await import('pg');
  const pool = new pg.Pool({
    connectionString: url,
    max: 16,
    connectionTimeoutMillis: connectSeconds * 1000,
    // A process that is cut off in the middle of a transaction keeps its rows from the others for less than a job's lease.
    // No transaction of ours waits for anything but the database between two statements.
    idle_in_transaction_session_timeout: 12_000,
    // Compiling a query takes a quarter of a second where its cost is overrated; none of ours runs long enough to win that back.
    options: '-c jit=off',
  });
  // A connection that breaks fails the query on it and is replaced at the next; unheard, it would end the process.
  pool.on('error', onError);
  pool.on('connect', (client) => client.on('error', onError));
  try {
    (await pool.connect()).release();
    return pool;
  } catch (cause) {
    await pool.end();
    throw new ConfigError(`DATABASE_URL: ${describeRefusal(cause as Error & { code?: string }, new URL(url))}`, {
      cause,
    });
  }
}

function describeRefusal({ code = '', message }: Error & { code?: string }, url: URL): string {
  const host = url.searchParams.get('host') ?? url.hostname;
  const server = `${host}:${url.port || 5432}`;
  const user = decodeURIComponent(url.username);
  const database = decodeURIComponent(url.pathname.slice(1)) || user;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return `the host ${host} is unknown. Check its name, and the name server of this machine.`;
  }
  if (code === 'ECONNREFUSED' || code === 'ENOENT') {
    return `nothing listens at ${server}. Start PostgreSQL there, or mend host and port.`;
  }
  if (code === '28P01' || code === '28000' || message.startsWith('SASL:')) {
    return `PostgreSQL at ${server} refuses the user "${user}" with this password. Mend user and password.`;
  }
  if (code === '3D000') {
    return `PostgreSQL at ${server} answers, but there is no database "${database}". Create it, or mend the name.`;
  }
  if (message.includes('timeout') || code === 'ETIMEDOUT' || code === 'EHOSTUNREACH' || code === 'ENETUNREACH') {
    return `no PostgreSQL answers at ${server} within ${connectSeconds} s. Check host, port, network and firewall.`;
  }
  if (message.startsWith('Connection terminated')) {
    return `what answers at ${server} is not PostgreSQL. Mend host and port.`;
  }
  return `PostgreSQL at ${server} cannot be used: ${message}.`;
}
