import { type SqlBool, sql } from 'kysely';
import type { Db, Trx } from '../../storage/database.ts';
import type { JobsTable } from '../../storage/tables/jobs.table.ts';
import { type JobKind, type JobLane, jobKinds, longestBackoffMs } from '../job-kinds.ts';
import type { NewJob } from '../job-queue.ts';

/** A job as claimed. */
export interface JobRow {
  readonly id: number;
  readonly kind: string;
  readonly payload: string;
  readonly key: string | null;
  readonly attempts: number;
  readonly max_attempts: number;
  readonly last_error: string | null;
  /** The smallest runs first. */
  readonly priority: number;
}

const ROWS_PER_INSERT = 500;
const iso = (ms: number): string => new Date(ms).toISOString();

/** Of jobs with the same key, the last counts; one that waits already leaves it its priority where that is more urgent. */
export async function insertJobs(db: Db, jobs: readonly NewJob[], now: number): Promise<void> {
  const byKey = new Map(jobs.map((job, index) => [job.key ?? index, job]));
  const wanted = [...byKey.values()];
  for (let start = 0; start < wanted.length; start += ROWS_PER_INSERT) {
    const chunk = wanted.slice(start, start + ROWS_PER_INSERT);
    const keys = chunk.flatMap((job) => (job.key === undefined ? [] : [job.key]));
    if (keys.length > 0) await detachRunning(db, keys);
    await db
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
            priority: eb
              .case()
              .when('excluded.priority', '<', eb.ref('jobs.priority'))
              .then(eb.ref('excluded.priority'))
              .else(eb.ref('jobs.priority'))
              .end(),
            run_at: eb.ref('excluded.run_at'),
            max_attempts: eb.ref('excluded.max_attempts'),
            attempts: 0,
            last_error: null,
          })),
      )
      .execute();
  }
}

function newRow(job: NewJob, now: number) {
  const { lane, maxAttempts } = jobKinds[job.kind];
  return {
    kind: job.kind,
    lane,
    payload: JSON.stringify(job.payload),
    key: job.key ?? null,
    priority: job.priority ?? 0,
    run_at: job.runAt && job.runAt.getTime() > now ? job.runAt.toISOString() : null,
    max_attempts: maxAttempts,
    created_at: iso(now),
  } satisfies Partial<Record<keyof JobsTable, string | number | null>>;
}

/** Running jobs lose their key, which frees it, and are forgotten when they end. */
async function detachRunning(db: Db, keys: readonly string[]): Promise<void> {
  await db
    .updateTable('jobs')
    .set({ key: null, max_attempts: 0 })
    .where('key', 'in', keys)
    .where('failed_at', 'is', null)
    .where('locked_by', 'is not', null)
    .execute();
}

export async function cancelJobs(db: Db, key: string): Promise<void> {
  await detachRunning(db, [key]);
  await db.deleteFrom('jobs').where('key', '=', key).where('failed_at', 'is', null).execute();
}

export async function hasOpenJob(db: Db, keys: readonly string[]): Promise<boolean> {
  for (let start = 0; start < keys.length; start += ROWS_PER_INSERT) {
    const part = keys.slice(start, start + ROWS_PER_INSERT);
    const open = db.selectFrom('jobs').select('id').where('key', 'in', part).where('failed_at', 'is', null).limit(1);
    if (await open.executeTakeFirst()) return true;
  }
  return false;
}

export interface Claim {
  readonly lane: JobLane;
  readonly limit: number;
  /** Only jobs of a smaller priority; absent: any. */
  readonly before?: number | undefined;
  readonly owner: string;
  readonly leaseMs: number;
}

export async function claimJobs(trx: Trx, claim: Claim, now: number): Promise<JobRow[]> {
  const rows = await trx
    .updateTable('jobs')
    .set((eb) => ({
      locked_by: claim.owner,
      locked_until: iso(now + claim.leaseMs),
      attempts: eb('attempts', '+', 1),
    }))
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('jobs')
        .select('id')
        .where('lane', '=', claim.lane)
        .where('failed_at', 'is', null)
        .where('locked_by', 'is', null)
        .$if(claim.before !== undefined, (query) => query.where('priority', '<', claim.before ?? 0))
        .where((or) =>
          or.or([
            or('run_at', 'is', null),
            or('run_at', '<=', iso(now)),
            // Dated before the clock was set back.
            or.and([or('attempts', '>', 0), or('run_at', '>', iso(now + longestBackoffMs))]),
          ]),
        )
        .orderBy('priority')
        .orderBy('id')
        .limit(claim.limit),
    )
    .returning(['id', 'kind', 'payload', 'key', 'attempts', 'max_attempts', 'last_error', 'priority'])
    .execute();
  // RETURNING promises no order.
  return rows.sort(byUrgency);
}

/** The order in which jobs run. */
export const byUrgency = (a: JobRow, b: JobRow): number => a.priority - b.priority || a.id - b.id;

/** Returns how many of the jobs were still the owner's. */
export async function completeJobs(db: Db, ids: readonly number[], owner: string): Promise<number> {
  const result = await db
    .deleteFrom('jobs')
    .where('id', 'in', ids)
    .where('locked_by', '=', owner)
    .where('failed_at', 'is', null)
    .executeTakeFirst();
  return Number(result.numDeletedRows);
}

export async function renewLeases(db: Db, owner: string, until: number): Promise<void> {
  await db
    .updateTable('jobs')
    .set({ locked_until: iso(until) })
    .where('locked_by', '=', owner)
    .execute();
}

/** Gives jobs back as if they had not been claimed. */
export async function releaseJobs(db: Db, ids: readonly number[], owner: string): Promise<void> {
  if (ids.length === 0) return;
  await db
    .deleteFrom('jobs')
    .where('id', 'in', ids)
    .where('locked_by', '=', owner)
    .where('max_attempts', '=', 0)
    .execute();
  await db
    .updateTable('jobs')
    .set((eb) => ({ locked_by: null, locked_until: null, attempts: eb('attempts', '-', 1) }))
    .where('id', 'in', ids)
    .where('locked_by', '=', owner)
    .execute();
}

/** Takes every job from owners that no longer live. Their attempt counts: the job may have killed them. */
export async function releaseOrphans(db: Db): Promise<number> {
  await db.deleteFrom('jobs').where('locked_by', 'is not', null).where('max_attempts', '=', 0).execute();
  const released = await db
    .updateTable('jobs')
    .set({
      locked_by: null,
      locked_until: null,
      run_at: null,
      last_error: 'The process ended while it did this work.',
    })
    .where('locked_by', 'is not', null)
    .executeTakeFirst();
  return Number(released.numUpdatedRows);
}

export interface HeldJob {
  readonly id: number;
  readonly owner: string;
}

export async function scheduleRetry(db: Db, job: HeldJob, runAt: number, error: string): Promise<void> {
  await db
    .updateTable('jobs')
    .set({ locked_by: null, locked_until: null, run_at: iso(runAt), last_error: error })
    .where('id', '=', job.id)
    .where('locked_by', '=', job.owner)
    .execute();
}

export async function markDead(db: Db, job: HeldJob, error: string, now: number): Promise<void> {
  await db
    .updateTable('jobs')
    .set({ locked_by: null, locked_until: null, failed_at: iso(now), last_error: error })
    .where('id', '=', job.id)
    .where('locked_by', '=', job.owner)
    .execute();
}

/** Milliseconds since 1970 of the first job after `since` that waits for its time, which may be over. */
export async function findNextDue(db: Db, since: number): Promise<number | undefined> {
  const row = await db
    .selectFrom('jobs')
    .select('run_at')
    .where('failed_at', 'is', null)
    .where('locked_by', 'is', null)
    .where('run_at', '>', iso(since))
    .orderBy('run_at')
    .limit(1)
    .executeTakeFirst();
  return row?.run_at ? Date.parse(row.run_at) : undefined;
}

export async function countJobs(
  db: Db,
): Promise<Record<JobKind, { waiting: number; running: number; failed: number }>> {
  const rows = await db
    .selectFrom('jobs')
    .select([
      'kind',
      sql<number>`sum(case when failed_at is null and locked_by is null then 1 else 0 end)`.as('waiting'),
      sql<number>`sum(case when failed_at is null and locked_by is not null then 1 else 0 end)`.as('running'),
      sql<number>`sum(case when failed_at is not null then 1 else 0 end)`.as('failed'),
    ])
    .groupBy('kind')
    .execute();
  const of = (kind: JobKind) => {
    const row = rows.find((candidate) => candidate.kind === kind);
    return { waiting: Number(row?.waiting ?? 0), running: Number(row?.running ?? 0), failed: Number(row?.failed ?? 0) };
  };
  return { train: of('train'), predict: of('predict'), deliver: of('deliver'), sweep: of('sweep') };
}

export async function pruneFailedJobs(db: Db, before: number): Promise<number> {
  const result = await db.deleteFrom('jobs').where('failed_at', '<', iso(before)).executeTakeFirst();
  return Number(result.numDeletedRows);
}
