import type BetterSqlite from 'better-sqlite3';
import type { SqliteDatabase } from 'kysely';

/** What the service asks has some hundred forms; lists of ids of any length make more, which push out the oldest. */
const MOST_STATEMENTS = 500;
/** Only these never change what the columns of another statement are. */
const cacheable = /^(select|insert|update|delete|with|begin|commit|rollback|pragma synchronous)\b/i;

/** The database for Kysely, which prepares a statement anew each time it runs: here each text is compiled once. */
export function cachedStatements(database: BetterSqlite.Database): SqliteDatabase {
  const statements = new Map<string, BetterSqlite.Statement>();

  const prepare = (sql: string): BetterSqlite.Statement => {
    const known = statements.get(sql);
    // One whose rows are still being read can't be run a second time.
    if (known && !known.busy) {
      statements.delete(sql);
      statements.set(sql, known);
      return known;
    }
    const statement = database.prepare(sql);
    if (!cacheable.test(sql)) {
      statements.clear();
      return statement;
    }
    statements.set(sql, statement);
    const [oldest] = statements.keys();
    if (statements.size > MOST_STATEMENTS && oldest !== undefined) statements.delete(oldest);
    return statement;
  };

  return {
    prepare: prepare as SqliteDatabase['prepare'],
    close() {
      statements.clear();
      database.close();
    },
  };
}
