import type { ColumnDefinitionBuilder, Kysely } from 'kysely';
import { PostgresAdapter } from 'kysely';

/** An int32 primary key that the database counts up and never gives out twice. */
export function identity(db: Kysely<unknown>): (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  return (column) =>
    isPostgres ? column.primaryKey().generatedByDefaultAsIdentity() : column.primaryKey().autoIncrement();
}

/** Bytes, under the name that either database has for them. */
export function binary(db: Kysely<unknown>): 'blob' | 'bytea' {
  return db.getExecutor().adapter instanceof PostgresAdapter ? 'bytea' : 'blob';
}
