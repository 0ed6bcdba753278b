import { type SqlBool, sql } from 'kysely';
import { chunks } from '../../storage/chunks.ts';
import type { Db, JobsTable, Trx } from '../../storage/database.ts';
import { LeaseLostError } from '../job-handlers.ts';
import { type JobKind, jobKinds, kindNames, type QueueName } from '../job-kinds.ts';
import type { JobCountsByKind, NewJob } from '../job-queue.ts';
import type { JobRun, RunRecords } from './run-job.ts';

// A job that was replaced or cancelled while it runs has no key any more. It is forgotten when it ends.

const iso = (ms: number): string => new Date(ms).toISOString();

/** The longest pause before a retry. A job with a later date was dated before the clock was set back. */
const longestPauseMs = 1000 * Math.max(...Object.values(jobKinds).map(({ backoff }) => backoff.maxSeconds));

/** Of jobs with the same key, the last counts. A waiting job leaves it its priority where that is more urgent. */
export async function insertJobs(trx: Db, jobs: readonly NewJob[], now: number): Promise<void> {
  const wanted = [...new Map(jobs.map((job) => [job.key, job])).values()];
  for (const chunk of chunks(wanted)) {
    const keys = chunk.map((job) => job.key);
    await detachRunning(trx, keys);
    await trx
      .insertInto('jobs')
      .values(chunk.map((job) => newRow(job, now)))
      .onConflict((conflict) =>
        conflict
          .column('key')
          .where(sql<SqlBool>`failed_at is null and key is not null`)
          .doUpdateSet((eb) => ({
            kind: eb.ref('excluded.kind'),
            lane: eb.ref('excluded.lane'),
            payload: eb.ref('excluded.payload'),
            priority: sql<number>`min(excluded.priority, jobs.priority)`,
            run_at: eb.ref('excluded.run_at'),
            attempts: 0,
            last_error: null,
          })),
      )
      .execute();
  }
}

function newRow(job: NewJob, now: number) {
  const { queue, maxAttempts } = jobKinds[job.kind];
  return {
    kind: job.kind,
    lane: queue,
    payload: JSON.stringify(job.payload),
    key: job.key,
    priority: job.priority ?? 0,
    run_at: job.runAt && job.runAt.getTime() > now ? job.runAt.toISOString() : null,
    max_attempts: maxAttempts,
    created_at: iso(now),
  } satisfies Partial<Record<keyof JobsTable, string | number | null>>;
}

async function detachRunning(trx: Db, keys: readonly string[]): Promise<void> {
  await trx
    .updateTable('jobs')
    .set({ key: null })
    .where('key', 'in', keys)
    .where('failed_at', 'is', null)
    .where('locked_by', 'is not', null)
    .execute();
}

export async function cancelJob(db: Db, key: string): Promise<void> {
  await detachRunning(db, [key]);
  await db.deleteFrom('jobs').where('key', '=', key).where('failed_at', 'is', null).execute();
}

export async function hasOpenJob(db: Db, keys: readonly string[]): Promise<boolean> {
  for (const part of chunks(keys)) {
    const open = db.selectFrom('jobs').select('id').where('key', 'in', part).where('failed_at', 'is', null).limit(1);
    if (await open.executeTakeFirst()) return true;
  }
  return false;
}

/** Claims the most urgent jobs of the queue. @returns them in the order in which they run. */
export async function claimJobs(
  trx: Trx,
  { queue, limit, owner }: { queue: QueueName; limit: number; owner: string },
  now: number,
): Promise<JobRun[]> {
  const rows = await trx
    .updateTable('jobs')
    .set((eb) => ({ locked_by: owner, attempts: eb('attempts', '+', 1) }))
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('jobs')
        .select('id')
        .where('lane', '=', queue)
        .where('failed_at', 'is', null)
        .where('locked_by', 'is', null)
        .where((or) =>
          or.or([
            or('run_at', 'is', null),
            or('run_at', '<=', iso(now)),
            // Dated before the clock was set back.
            or('run_at', '>', iso(now + longestPauseMs)),
          ]),
        )
        .orderBy('priority')
        .orderBy('id')
        .limit(limit),
    )
    .returning(['id', 'kind', 'payload', 'key', 'attempts', 'last_error', 'priority'])
    .execute();
  // RETURNING promises no order.
  return rows
    .sort((a, b) => a.priority - b.priority || a.id - b.id)
    .map(({ id, kind, key, payload, attempts, last_error, priority }) => ({
      id: String(id),
      // One of this release: a newer database is refused.
      kind: kind as JobKind,
      key: key ?? '',
      payload: JSON.parse(payload),
      attempt: attempts,
      lastError: last_error,
      priority,
      owner,
      controller: new AbortController(),
    }));
}

export const jobRecords: RunRecords = {
  async complete(trx, { id, owner }) {
    const deletion = trx.deleteFrom('jobs').where('id', '=', Number(id)).where('locked_by', '=', owner);
    if ((await deletion.executeTakeFirst()).numDeletedRows === 0n) throw new LeaseLostError(id);
  },
  async isWanted(trx, { id, owner }) {
    const row = trx.selectFrom('jobs').select('key').where('id', '=', Number(id)).where('locked_by', '=', owner);
    const found = await row.executeTakeFirst();
    if (!found) throw new LeaseLostError(id);
    return found.key !== null;
  },
  retry: (trx, run, runAt, error) => endAttempt(trx, run, { run_at: runAt.toISOString(), last_error: error }),
  bury: (trx, run, error) => endAttempt(trx, run, { failed_at: iso(Date.now()), last_error: error }),
};

async function endAttempt(
  trx: Trx,
  { id, owner }: JobRun,
  end: { run_at?: string; failed_at?: string; last_error: string },
): Promise<void> {
  const job = trx.updateTable('jobs').where('id', '=', Number(id)).where('locked_by', '=', owner);
  await job.set({ ...end, locked_by: null }).execute();
}

/** Gives an owner's jobs back as if they had not been claimed. */
export async function releaseJobs(trx: Trx, runs: readonly JobRun[], owner: string): Promise<void> {
  const ids = runs.map(({ id }) => Number(id));
  await trx.deleteFrom('jobs').where('id', 'in', ids).where('locked_by', '=', owner).where('key', 'is', null).execute();
  await trx
    .updateTable('jobs')
    .set((eb) => ({ locked_by: null, attempts: eb('attempts', '-', 1) }))
    .where('id', 'in', ids)
    .where('locked_by', '=', owner)
    .execute();
}

/** Takes every job of processes that have ended. Their attempt counts: the job may have killed them. */
export async function releaseOrphans(trx: Trx): Promise<number> {
  await trx.deleteFrom('jobs').where('locked_by', 'is not', null).where('key', 'is', null).execute();
  const released = await trx
    .updateTable('jobs')
    .set({ locked_by: null, run_at: null, last_error: null })
    .where('locked_by', 'is not', null)
    .executeTakeFirst();
  return Number(released.numUpdatedRows);
}

export async function countJobs(db: Db): Promise<JobCountsByKind> {
  const { rows } = await sql<CountRow>`
    select kind,
      sum(case when failed_at is null and locked_by is null then 1 else 0 end) as waiting,
      sum(case when failed_at is null and locked_by is not null then 1 else 0 end) as running,
      sum(case when failed_at is not null then 1 else 0 end) as failed
    from jobs group by kind`.execute(db);
  return countsByKind(rows);
}

export interface CountRow {
  readonly kind: string;
  readonly waiting: number;
  readonly running: number;
  readonly failed: number;
}

export function countsByKind(rows: readonly CountRow[]): JobCountsByKind {
  const countsOf = (kind: JobKind) => {
    const { waiting = 0, running = 0, failed = 0 } = rows.find((row) => row.kind === kind) ?? {};
    return [kind, { waiting, running, failed }] as const;
  };
  return Object.fromEntries(kindNames.map(countsOf)) as JobCountsByKind;
}

export async function pruneFailedJobs(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('jobs').where('failed_at', '<', before.toISOString()).execute();
}
