import { join } from 'node:path';
import { Kysely, PostgresDialect, SqliteDialect } from 'kysely';
import type { Config } from '../config.ts';
import type { BlobStore } from './blobs/blob-store.ts';
import { createDiskBlobStore } from './blobs/disk-blob-store.ts';
import { createS3BlobStore, parseS3Url } from './blobs/s3-blob-store.ts';
import { connectPostgres } from './connect-postgres.ts';
import { ensureDataDir, lockDataDir, openPrivateDatabase } from './data-dir.ts';
import type { Database, Db } from './database.ts';

/** Where a process keeps everything, as its settings say. */
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
  return new SqliteDialect({ database });
}
