import { type Kysely, type Migration, SqliteAdapter, sql } from 'kysely';

export const migration0002: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    const sqlite = db.getExecutor().adapter instanceof SqliteAdapter;
    await db.schema
      .createTable('jobs')
      // AUTOINCREMENT: an id is never given twice, so a late message can't complete a stranger's job.
      .addColumn('id', sqlite ? 'integer' : 'serial', (column) =>
        sqlite ? column.primaryKey().autoIncrement() : column.primaryKey(),
      )
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('lane', 'text', (column) => column.notNull())
      .addColumn('payload', 'text', (column) => column.notNull())
      .addColumn('key', 'text')
      .addColumn('priority', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('run_at', 'text')
      .addColumn('attempts', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('max_attempts', 'integer', (column) => column.notNull())
      .addColumn('locked_by', 'text')
      .addColumn('locked_until', 'text')
      .addColumn('last_error', 'text')
      .addColumn('failed_at', 'text')
      .addColumn('created_at', 'text', (column) => column.notNull())
      .execute();
    await sql`create unique index jobs_open_key on jobs (key) where failed_at is null and key is not null`.execute(db);
    await sql`create index jobs_waiting on jobs (lane, priority, id) where failed_at is null and locked_by is null`.execute(
      db,
    );
    await sql`create index jobs_later on jobs (run_at) where failed_at is null and run_at is not null`.execute(db);
    await sql`create index jobs_locked on jobs (locked_by) where locked_by is not null`.execute(db);
    await createJobWorkers(db);
  },
  async down(db: Kysely<unknown>): Promise<void> {
    await db.schema.dropTable('jobs').execute();
    await db.schema.dropTable('job_workers').execute();
  },
};

/** Who works on PostgreSQL's queue. Milliseconds since 1970 by the database's clock, which all hosts share. */
async function createJobWorkers(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('job_workers')
    .addColumn('worker_id', 'text', (column) => column.primaryKey())
    .addColumn('lease_until', 'double precision', (column) => column.notNull())
    .execute();
}
