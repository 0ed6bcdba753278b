import { sql } from 'kysely';
import type { Db, Trx } from '../../storage/database.ts';
import { type JobKind, jobKinds } from '../job-kinds.ts';
import type { JobCounts, NewJob } from '../job-queue.ts';

// graphile-worker completes a job apart from its handler's transaction, and gives up a dead worker's jobs after four
// hours. Both are done here instead, on its tables; the conformance suite tells when a new version has changed them.

/**
 * Attempts beyond those of the kind. A job in them is only wound up: its last attempt has killed the process. A job is
 * over for graphile-worker when it has used them too.
 */
export const SPARE_ATTEMPTS = 10;

const NOW_MS = sql<number>`extract(epoch from clock_timestamp()) * 1000`;

/** Of jobs with the same key, the last counts; one that waits already leaves it its priority where that is more urgent. */
export async function addJobs(db: Db, jobs: readonly NewJob[]): Promise<void> {
  const byKey = new Map(jobs.map((job, index) => [job.key ?? index, job]));
  if (byKey.size === 0) return;
  const specs = [...byKey.values()].map((job) => ({
    identifier: job.kind,
    payload: job.payload,
    run_at: job.runAt?.toISOString() ?? null,
    max_attempts: jobKinds[job.kind].maxAttempts + SPARE_ATTEMPTS,
    key: job.key ?? null,
    priority: job.priority ?? 0,
  }));
  // graphile-worker runs jobs of one priority in the order of run_at.
  await sql`
    select count(*) from graphile_worker.add_jobs(array(
      select (spec->>'identifier', spec->'payload', null, 
        coalesce((spec->>'run_at')::timestamptz, now() + place * interval '1 microsecond'),
        (spec->>'max_attempts')::smallint, spec->>'key',
        least((spec->>'priority')::smallint, (
          select priority from graphile_worker._private_jobs where key = spec->>'key' and locked_at is null and attempts < max_attempts
        )), null
      )::graphile_worker.job_spec
      from json_array_elements(${JSON.stringify(specs)}::json) with ordinality as given(spec, place)
      order by place
    ))`.execute(db);
}

export async function removeJob(db: Db, key: string): Promise<void> {
  await sql`select graphile_worker.remove_job(${key})`.execute(db);
}

export async function hasOpenGraphileJob(db: Db, keys: readonly string[]): Promise<boolean> {
  const open = await sql`
    select id from graphile_worker._private_jobs
    where key = any(${keys}::text[]) and attempts < max_attempts limit 1`.execute(db);
  return open.rows.length > 0;
}

export interface HeldGraphileJob {
  readonly id: string;
  readonly workerId: string;
}

/** Returns whether the job was still the worker's. */
export async function completeGraphileJob(trx: Trx, { id, workerId }: HeldGraphileJob): Promise<boolean> {
  const done = await sql`
    delete from graphile_worker._private_jobs where id = ${id}::bigint and locked_by = ${workerId} returning id`.execute(
    trx,
  );
  return done.rows.length > 0;
}

/** `replaced`: replaced or cancelled while it ran. `gone`: completed, or another worker's. */
export async function findJobState(trx: Trx, { id, workerId }: HeldGraphileJob): Promise<'held' | 'replaced' | 'gone'> {
  const { rows } = await sql<{ replaced: boolean }>`
    select attempts >= max_attempts as replaced from graphile_worker._private_jobs
    where id = ${id}::bigint and locked_by = ${workerId} for update`.execute(trx);
  if (!rows[0]) return 'gone';
  return rows[0].replaced ? 'replaced' : 'held';
}

/** Unlocks the job, so that graphile-worker's own record of the failure, which knows no back-off of ours, finds nothing. */
export async function retryGraphileJob(
  trx: Trx,
  { id, workerId }: HeldGraphileJob,
  afterMs: number,
  error: string,
): Promise<void> {
  await sql`
    update graphile_worker._private_jobs
    set locked_by = null, locked_at = null, last_error = ${error}, updated_at = now(),
      run_at = now() + ${afterMs} * interval '1 millisecond'
    where id = ${id}::bigint and locked_by = ${workerId}`.execute(trx);
}

export async function buryGraphileJob(trx: Trx, { id, workerId }: HeldGraphileJob, error: string): Promise<void> {
  await sql`
    update graphile_worker._private_jobs
    set locked_by = null, locked_at = null, last_error = ${error}, updated_at = now(), key = null, attempts = max_attempts
    where id = ${id}::bigint and locked_by = ${workerId}`.execute(trx);
}

/** Gives jobs back as if they had not been claimed. */
export async function releaseGraphileJobs(db: Db, workerIds: readonly string[], ids: readonly string[]): Promise<void> {
  await sql`
    delete from graphile_worker._private_jobs
    where id = any(${ids}::bigint[]) and locked_by = any(${workerIds}) and attempts >= max_attempts`.execute(db);
  await sql`
    update graphile_worker._private_jobs
    set locked_by = null, locked_at = null, attempts = greatest(0, attempts - 1)
    where id = any(${ids}::bigint[]) and locked_by = any(${workerIds})`.execute(db);
}

/** @returns the database's time. */
export async function renewWorkerLease(db: Db, workerIds: readonly string[], leaseMs: number): Promise<string> {
  const { rows } = await sql<{ at: string }>`
    with renewed as (
      insert into job_workers (worker_id, lease_until)
      select id, ${NOW_MS} + ${leaseMs} from unnest(${workerIds}::text[]) as id
      on conflict (worker_id) do update set lease_until = excluded.lease_until
    ) select clock_timestamp()::text as at`.execute(db);
  return rows[0]?.at ?? '-infinity';
}

export async function endWorkerLease(db: Db, workerIds: readonly string[]): Promise<void> {
  await sql`delete from job_workers where worker_id = any(${workerIds})`.execute(db);
}

/**
 * Takes the jobs of workers whose lease has run out. Their attempt counts: the job may have killed them. Those of `living`
 * are alive whatever their lease says: they ask.
 */
export async function releaseDeadWorkers(db: Db, living: readonly string[], leaseMs: number): Promise<number> {
  return await db.transaction().execute(async (trx) => {
    // A worker that has not registered yet has claimed its jobs just now.
    const { rows } = await sql<{ worker: string }>`
      with expired as (
        delete from job_workers where lease_until < ${NOW_MS} and worker_id <> all(${living}) returning worker_id
      )
      select worker_id as worker from expired
      union
      select locked_by from graphile_worker._private_jobs
      where locked_at < now() - ${leaseMs} * interval '1 millisecond'
        and locked_by not in (select worker_id from job_workers) and locked_by <> all(${living})`.execute(trx);
    const dead = rows.map((row) => row.worker);
    if (dead.length === 0) return 0;
    await sql`
      delete from graphile_worker._private_jobs where locked_by = any(${dead}) and attempts >= max_attempts`.execute(
      trx,
    );
    const released = await sql`
      update graphile_worker._private_jobs
      set locked_by = null, locked_at = null, run_at = now(), updated_at = now(),
        last_error = 'The process ended while it did this work.'
      where id in (
        -- A worker that was cut off may still hold a row of its own; that one waits for the next beat.
        select id from graphile_worker._private_jobs where locked_by = any(${dead}) for update skip locked
      ) returning id`.execute(trx);
    // Wakes the workers up.
    await sql`select pg_notify('jobs:insert', json_build_object('count', ${released.rows.length}::int)::text)`.execute(
      trx,
    );
    return released.rows.length;
  });
}

/**
 * Takes jobs that these live workers claimed without learning of it: the connection broke before the answer came.
 * @param running jobs that they knew at the time `at` or later; what they have claimed since is none of this one's business,
 * however late it gets through.
 */
export async function releaseLostJobs(
  db: Db,
  workerIds: readonly string[],
  running: readonly string[],
  { at, leaseMs }: { at: string; leaseMs: number },
): Promise<number> {
  const { rows } = await sql`
    update graphile_worker._private_jobs
    set locked_by = null, locked_at = null, attempts = greatest(0, attempts - 1)
    where locked_by = any(${workerIds}) and id <> all(${running}::bigint[])
      and locked_at < ${at}::timestamptz - ${leaseMs} * interval '1 millisecond'
    returning id`.execute(db);
  return rows.length;
}

export async function countGraphileJobs(db: Db): Promise<Record<JobKind, JobCounts>> {
  const { rows } = await sql<{ kind: string; waiting: number; running: number; failed: number }>`
    select task_identifier as kind,
      count(*) filter (where locked_at is null and attempts < max_attempts)::int as waiting,
      count(*) filter (where locked_at is not null)::int as running,
      count(*) filter (where locked_at is null and attempts >= max_attempts)::int as failed
    from graphile_worker.jobs group by task_identifier`.execute(db);
  const of = (kind: JobKind): JobCounts => {
    const row = rows.find((candidate) => candidate.kind === kind);
    return { waiting: row?.waiting ?? 0, running: row?.running ?? 0, failed: row?.failed ?? 0 };
  };
  return { train: of('train'), predict: of('predict'), deliver: of('deliver'), sweep: of('sweep') };
}

export async function pruneGraphileJobs(db: Db, before: Date): Promise<number> {
  const { rows } = await sql`
    delete from graphile_worker._private_jobs
    where locked_at is null and attempts >= max_attempts and updated_at < ${before.toISOString()}::timestamptz
    returning id`.execute(db);
  return rows.length;
}

/** Tells every process to abort a running job of this key, on the channel where they listen: no jobs are new. */
export async function notifyAbort(db: Db, key: string): Promise<void> {
  const message = JSON.stringify({ count: 0, abort: key });
  await sql`select pg_notify('jobs:insert', ${message})`.execute(db);
}

/** The key of a message that `notifyAbort` sent. */
export function findAbortedKey(message: string | undefined): string | undefined {
  const { abort } = JSON.parse(message || '{}') as { abort?: string };
  return abort;
}
