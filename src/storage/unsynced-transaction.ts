import { SqliteAdapter, sql } from 'kysely';
import type { Db, Trx } from './database.ts';

/**
 * A transaction that a power cut may take back as a whole, and nothing else may: its commit does not wait for the disk.
 * For what a start sets right anyway. The next ordinary commit makes it as lasting as itself.
 */
export function unsyncedTransaction<T>(db: Db, work: (trx: Trx) => Promise<T>): Promise<T> {
  if (!(db.getExecutor().adapter instanceof SqliteAdapter)) return db.transaction().execute(work);
  return db.connection().execute(async (connection) => {
    await sql`pragma synchronous = normal`.execute(connection);
    try {
      return await connection.transaction().execute(work);
    } finally {
      await sql`pragma synchronous = full`.execute(connection);
    }
  });
}
