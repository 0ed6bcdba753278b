import { createRequire } from 'node:module';
import type BetterSqlite from 'better-sqlite3';

const NODE_22 = 22;

/**
 * Name of better-sqlite3 in the version for this Node: 13 brings its binaries and needs Node 22 (Node 20 crashes on it), 12
 * is compiled when it is installed and runs on Node 20. Both have the same functions.
 */
export const sqlitePackage =
  Number.parseInt(process.versions.node, 10) >= NODE_22 ? 'better-sqlite3-prebuilt' : 'better-sqlite3';

export const SqliteDatabase: typeof BetterSqlite = createRequire(import.meta.url)(sqlitePackage);
