import { PostgresAdapter, sql } from 'kysely';
import type { Db } from '../../storage/database.ts';
import { isJobKind } from '../job-kinds.ts';
import type { NewJob } from '../job-queue.ts';

interface OpenJobRow {
  readonly kind: string;
  readonly payload: string;
  readonly key: string | null;
  readonly priority: number;
  readonly run_at: string | null;
}

/** The work that waits or runs, oldest first: for moving it to the queue of another database. */
export async function listOpenJobs(db: Db): Promise<NewJob[]> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  const { rows } = await (isPostgres
    ? sql<OpenJobRow>`select task_identifier as kind, payload::text as payload, key, priority,
        case when run_at > now() then to_char(run_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') end as run_at
        from graphile_worker._private_jobs
        join (select id as task, identifier as task_identifier from graphile_worker._private_tasks) as tasks on task = task_id
        where attempts < max_attempts order by id`
    : sql<OpenJobRow>`select kind, payload, key, priority, run_at from jobs where failed_at is null order by id`
  ).execute(db);
  return rows.flatMap(({ kind, payload, key, priority, run_at }): NewJob[] => {
    if (!isJobKind(kind)) return [];
    const options = {
      ...(key === null ? {} : { key }),
      ...(run_at === null ? {} : { runAt: new Date(run_at) }),
      priority,
    };
    return [{ kind, payload: JSON.parse(payload), ...options } as NewJob];
  });
}
