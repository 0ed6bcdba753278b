import { join } from 'node:path';
import type { Config } from '../config.ts';
import type { BlobStore } from './blobs/blob-store.ts';
import { createDiskBlobStore } from './blobs/disk-blob-store.ts';
import { createS3BlobStore } from './blobs/s3-blob-store.ts';
import { parseS3Url } from './blobs/s3-location.ts';
import { lockDataDir } from './data-dir-lock.ts';
import type { Db } from './database.ts';
import { ensureDataDir } from './ensure-data-dir.ts';
import { openDatabase } from './open-database.ts';

/** Where a process keeps everything, as its settings say. */
export interface Storage {
  readonly db: Db;
  readonly blobs: BlobStore;
  close(): Promise<void>;
}

export type StorageSettings = Pick<
  Config,
  'KENSA_DATA_DIR' | 'DATABASE_URL' | 'BLOB_URL' | 'AWS_ACCESS_KEY_ID' | 'AWS_SECRET_ACCESS_KEY' | 'AWS_SESSION_TOKEN'
>;

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
  return createS3BlobStore(
    parseS3Url(settings.BLOB_URL, {
      accessKeyId: settings.AWS_ACCESS_KEY_ID,
      secretAccessKey: settings.AWS_SECRET_ACCESS_KEY,
      sessionToken: settings.AWS_SESSION_TOKEN,
    }),
  );
}
