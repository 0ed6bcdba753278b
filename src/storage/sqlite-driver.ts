import { closeSync, openSync } from 'node:fs';
import { createRequire } from 'node:module';
import type BetterSqlite from 'better-sqlite3';
import { tryChmod } from './ensure-data-dir.ts';

const NODE_22 = 22;

/**
 * Name of better-sqlite3 in the version for this Node: 13 brings its binaries and needs Node 22 (Node 20 crashes on it), 12
 * is compiled when it is installed and runs on Node 20. Both have the same functions.
 */
export const sqlitePackage =
  Number.parseInt(process.versions.node, 10) >= NODE_22 ? 'better-sqlite3-prebuilt' : 'better-sqlite3';

export const SqliteDatabase: typeof BetterSqlite = createRequire(import.meta.url)(sqlitePackage);

/** Opens a database that only its owner may read. SQLite gives the files that it puts beside it the same mode. */
export function openPrivateDatabase(path: string, options: BetterSqlite.Options = {}): BetterSqlite.Database {
  closeSync(openSync(path, 'a', 0o600));
  for (const suffix of ['', '-wal', '-shm', '-journal']) tryChmod(path + suffix, 0o600);
  return new SqliteDatabase(path, options);
}
