import { sql } from 'kysely';
import type { Db, Trx } from '../../storage/database.ts';
import { LeaseLostError } from '../job-handlers.ts';
import { jobKinds } from '../job-kinds.ts';
import type { JobCountsByKind, NewJob } from '../job-queue.ts';
import { type CountRow, countsByKind } from './job-rows.ts';
import type { JobRun, RunRecords } from './run-job.ts';

// The public functions of graphile-worker and its view `jobs`, and nothing else of its schema.
//
// graphile-worker deletes a job after its handler has returned, in a transaction of its own. So a run ends twice: in its
// own transaction it takes the key off its job (`remove_job`, `add_jobs`), after which no worker runs that job again; then
// graphile-worker deletes it. A process that dies between the two leaves a job without a key, which is deleted later.

/** More attempts than graphile-worker ever uses: after the last attempt killed its process, `onDead` must still run. */
const SPARE_ATTEMPTS = 10;

const NOW_MS = sql<number>`extract(epoch from clock_timestamp()) * 1000`;

/** A retry is a new job. Its payload carries these values of the attempts before. */
export interface EarlierAttempts {
  readonly failures?: number;
  readonly lastError?: string;
}

/** Of jobs with the same key, the last counts. A waiting job leaves it its priority where that is more urgent. */
export async function addJobs(db: Db, jobs: NewJob | readonly NewJob[]): Promise<void> {
  const specs = [...new Map([jobs].flat().map((job) => [job.key, job])).values()].map((job) => ({
    identifier: job.kind,
    payload: job.payload,
    run_at: job.runAt?.toISOString() ?? null,
    max_attempts: jobKinds[job.kind].maxAttempts + SPARE_ATTEMPTS,
    key: job.key,
    priority: job.priority ?? 0,
  }));
  // graphile-worker runs jobs of one priority in the order of run_at.
  await sql`
    select count(*) from graphile_worker.add_jobs(array(
      select (spec->>'identifier', spec->'payload', null,
        coalesce((spec->>'run_at')::timestamptz, now() + place * interval '1 microsecond'),
        (spec->>'max_attempts')::smallint, spec->>'key',
        least((spec->>'priority')::smallint, (
          select priority from graphile_worker.jobs where key = spec->>'key' and locked_at is null and attempts < max_attempts
        )), null
      )::graphile_worker.job_spec
      from json_array_elements(${JSON.stringify(specs)}::json) with ordinality as given(spec, place)
      order by place
    ))`.execute(db);
}

export async function removeJob(db: Db, key: string): Promise<void> {
  await sql`select graphile_worker.remove_job(${key})`.execute(db);
}

export async function hasOpenJob(db: Db, keys: readonly string[]): Promise<boolean> {
  const open = await sql`
    select id from graphile_worker.jobs where key = any(${keys}::text[]) and attempts < max_attempts limit 1`.execute(
    db,
  );
  return open.rows.length > 0;
}

export const graphileRecords: RunRecords = {
  async complete(trx, run) {
    const { rows } = await sql<{ removed: string | null }>`
      select (graphile_worker.remove_job(key)).id::text as removed
      from graphile_worker.jobs where id = ${run.id}::bigint and locked_by = ${run.owner} and key is not null`.execute(
      trx,
    );
    if (!rows[0]) await graphileRecords.isWanted(trx, run);
    // Replaced since the row was read: the replacement was removed, and must stay. Rolled back with the transaction.
    else if (rows[0].removed !== run.id) throw new Error(`Job ${run.id} was replaced at the moment when it ended.`);
  },
  async isWanted(trx, { id, owner }) {
    const { rows } = await sql<{ key: string | null }>`
      select key from graphile_worker.jobs where id = ${id}::bigint and locked_by = ${owner}`.execute(trx);
    if (!rows[0]) throw new LeaseLostError(id);
    return rows[0].key !== null;
  },
  /** Puts a new job in the place of the failed one. */
  async retry(trx, { kind, key, priority, payload, attempt }, runAt, lastError) {
    const again = { ...payload, failures: attempt, lastError };
    await addJobs(trx, { kind, payload: again, key, runAt, priority } as NewJob);
  },
  /** Puts a job that has failed for good in the place of the failed one. */
  async bury(trx, run, error) {
    await graphileRecords.complete(trx, run);
    const payload = JSON.stringify(run.payload);
    await sql`
      select count(*) from graphile_worker.permanently_fail_jobs(
        array[(graphile_worker.add_job(${run.kind}, ${payload}::json)).id], ${error})`.execute(trx);
  },
};

/** Gives the workers' jobs back: those of `ids` as if they had not been claimed. */
export async function releaseJobs(db: Db, workerIds: readonly string[], ids: readonly string[]): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql`select graphile_worker.force_unlock_workers(${workerIds})`.execute(trx);
    await sql`
      select graphile_worker.reschedule_jobs(array[id], attempts => greatest(0, attempts - 1))
      from graphile_worker.jobs where id = any(${ids}::bigint[]) and key is not null`.execute(trx);
    await deleteEndedJobs(trx);
    await sql`delete from job_workers where worker_id = any(${workerIds})`.execute(trx);
  });
}

/** Jobs without a key whose process died before graphile-worker could delete them. Failed ones have an error. */
async function deleteEndedJobs(trx: Trx): Promise<void> {
  await sql`
    select count(*) from graphile_worker.complete_jobs(array(
      select id from graphile_worker.jobs
      where key is null and locked_at is null and attempts >= max_attempts and last_error is null
    ))`.execute(trx);
}

/** Renews the leases of these workers, by the clock of the database, which all hosts share. */
export async function renewWorkers(db: Db, workerIds: readonly string[], leaseMs: number): Promise<void> {
  await sql`
    insert into job_workers (worker_id, lease_until)
    select id, ${NOW_MS} + ${leaseMs} from unnest(${workerIds}::text[]) as id
    on conflict (worker_id) do update set lease_until = excluded.lease_until`.execute(db);
}

export async function hasOtherWorkers(db: Db, own: readonly string[]): Promise<boolean> {
  const { rows } = await sql`
    select from job_workers where lease_until >= ${NOW_MS} and worker_id <> all(${own}) limit 1`.execute(db);
  return rows.length > 0;
}

/** Releases the jobs of workers whose lease is over. Their attempt counts: the job may have killed them. */
export async function releaseDeadWorkers(db: Db, living: readonly string[], leaseMs: number): Promise<string[]> {
  return await db.transaction().execute(async (trx) => {
    // A worker that has not registered yet has claimed its jobs just now.
    const { rows } = await sql<{ worker: string }>`
      with expired as (
        delete from job_workers where lease_until < ${NOW_MS} and worker_id <> all(${living}) returning worker_id
      )
      select worker_id as worker from expired
      union
      select locked_by from graphile_worker.jobs
      where locked_at < now() - ${leaseMs} * interval '1 millisecond'
        and locked_by not in (select worker_id from job_workers) and locked_by <> all(${living})`.execute(trx);
    const dead = rows.map((row) => row.worker);
    if (dead.length === 0) return [];
    await sql`select graphile_worker.force_unlock_workers(${dead})`.execute(trx);
    await deleteEndedJobs(trx);
    return dead;
  });
}

/** The keys of the runs that any process has cancelled. A replaced run may finish. */
export async function findCancelled(db: Db, runs: readonly JobRun[]): Promise<{ key: string }[]> {
  const given = JSON.stringify(runs.map(({ id, key }) => ({ id, key })));
  const { rows } = await sql<{ key: string }>`
    select run.key from json_to_recordset(${given}::json) as run(id bigint, key text)
    join graphile_worker.jobs as job on job.id = run.id
    where job.key is null and not exists (select from graphile_worker.jobs as later where later.key = run.key)`.execute(
    db,
  );
  return rows;
}

export async function countJobs(db: Db): Promise<JobCountsByKind> {
  const { rows } = await sql<CountRow>`
    select task_identifier as kind,
      count(*) filter (where locked_at is null and attempts < max_attempts)::int as waiting,
      count(*) filter (where locked_at is not null)::int as running,
      count(*) filter (where locked_at is null and attempts >= max_attempts)::int as failed
    from graphile_worker.jobs group by task_identifier`.execute(db);
  return countsByKind(rows);
}

export async function pruneFailedJobs(db: Db, before: Date): Promise<void> {
  await sql`
    select count(*) from graphile_worker.complete_jobs(array(
      select id from graphile_worker.jobs
      where locked_at is null and attempts >= max_attempts and updated_at < ${before.toISOString()}::timestamptz
    ))`.execute(db);
}
