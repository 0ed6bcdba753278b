import { accessSync, chmodSync, closeSync, constants, mkdirSync, openSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type BetterSqlite from 'better-sqlite3';
import { ConfigError } from '../config.ts';

/**
 * Name of better-sqlite3 in the version for this Node: 13 brings its binaries and needs Node 22 (Node 20 crashes on it), 12
 * is compiled when it is installed and runs on Node 20. Both have the same functions.
 */
export const sqlitePackage =
  Number.parseInt(process.versions.node, 10) >= 22 ? 'better-sqlite3-prebuilt' : 'better-sqlite3';

export const SqliteDatabase: typeof BetterSqlite = createRequire(import.meta.url)(sqlitePackage);

export class DataDirLockedError extends Error {
  override name = 'DataDirLockedError';
}

/**
 * Makes the data folder where it is missing, and closes its contents to all but the owner.
 * @throws ConfigError where the folder cannot be made or written to.
 */
export function ensureDataDir(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    // Making a folder in it says less on a read-only disk.
    accessSync(dataDir, constants.W_OK);
  } catch (error) {
    const reason = `The data folder ${dataDir} cannot be used: ${(error as Error).message}.`;
    const advice = 'Give this user a folder that it may write to, or set KENSA_DATA_DIR to another one.';
    throw new ConfigError(`${reason} ${advice}`, { cause: error });
  }
  // Earlier versions left them open to other users. The folder itself stays as its owner made it.
  for (const name of ['blobs', 'cache', 'logs', 'uploads']) tryChmod(join(dataDir, name), 0o700);
}

/** Opens a database that only its owner may read. SQLite gives the files that it puts beside it the same mode. */
export function openPrivateDatabase(path: string, options: BetterSqlite.Options = {}): BetterSqlite.Database {
  closeSync(openSync(path, 'a', 0o600));
  for (const suffix of ['', '-wal', '-shm', '-journal']) tryChmod(path + suffix, 0o600);
  return new SqliteDatabase(path, options);
}

/** Does nothing where the path is not there, or belongs to another user. */
function tryChmod(path: string, mode: number): void {
  try {
    chmodSync(path, mode);
  } catch {
    // The service works all the same.
  }
}

/**
 * Takes the data folder for this process. SQLite holds the lock of the operating system, which ends with the process.
 * @returns the function that gives it back.
 * @throws DataDirLockedError while another process holds it.
 */
export function lockDataDir(dataDir: string): () => void {
  const lock = openPrivateDatabase(join(dataDir, 'lock.db'), { timeout: 0 });
  try {
    lock.pragma('journal_mode = DELETE');
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    if (!String((error as { code?: string }).code).startsWith('SQLITE_BUSY')) throw error;
    throw new DataDirLockedError(
      `Another Kensa process uses the data folder ${dataDir}. Stop it, or set KENSA_DATA_DIR to another folder.`,
    );
  }
  return () => {
    lock.exec('ROLLBACK');
    lock.close();
  };
}
