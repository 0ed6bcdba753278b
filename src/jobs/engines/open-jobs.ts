import { PostgresAdapter, sql } from 'kysely';
import type { Db } from '../../storage/database.ts';
import type { NewJob } from '../job-queue.ts';

interface OpenJobRow {
  readonly kind: string;
  readonly payload: string;
  readonly key: string;
  readonly priority: number;
  readonly run_at: string | null;
}

/** The work that waits or runs, oldest first: for moving it to the queue of another database. */
export async function listOpenJobs(db: Db): Promise<NewJob[]> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  const rows = isPostgres ? await listGraphileJobs(db) : await listEmbeddedJobs(db);
  return rows.map(({ kind, payload, key, priority, run_at }) => {
    const due = run_at === null ? {} : { runAt: new Date(run_at) };
    return { kind, payload: JSON.parse(payload), key, ...due, priority } as NewJob;
  });
}

async function listEmbeddedJobs(db: Db): Promise<OpenJobRow[]> {
  const { rows } = await sql<OpenJobRow>`
    select kind, payload, key, priority, run_at from jobs
    where failed_at is null and key is not null order by id`.execute(db);
  return rows;
}

/** graphile-worker shows payloads of jobs only when it completes them. So all are completed, and that is taken back. */
async function listGraphileJobs(db: Db): Promise<OpenJobRow[]> {
  const trx = await db.startTransaction().execute();
  try {
    await sql`
      select graphile_worker.force_unlock_workers(array(
        select distinct locked_by from graphile_worker.jobs where locked_by is not null
      ))`.execute(trx);
    const { rows } = await sql<OpenJobRow>`
      with open as materialized (
        select id, task_identifier as kind from graphile_worker.jobs where attempts < max_attempts and key is not null
      )
      select kind, payload::text as payload, key, priority,
        case when run_at > now() then to_char(run_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') end as run_at
      from graphile_worker.complete_jobs(array(select id from open)) join open using (id) order by id`.execute(trx);
    return rows;
  } finally {
    await trx.rollback().execute();
  }
}
