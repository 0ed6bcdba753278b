import type { Logger } from 'pino';
import type { Db, Trx } from '../../storage/database.ts';
import { type ErasedJobHandler, isRetryable } from '../job-handlers.ts';
import { backoffMs, isJobKind } from '../job-kinds.ts';
import { completeJobs, type HeldJob, type JobRow, markDead, scheduleRetry } from './job-rows.ts';

export interface Failure {
  readonly row: JobRow;
  readonly owner: string;
  readonly handler: ErasedJobHandler | undefined;
  readonly error: Error;
}

/** `gone`: the job was replaced, cancelled or completed meanwhile. */
export type FailureOutcome = 'retry' | 'dead' | 'gone';

const ON_DEAD_RETRY_MS = 60_000;

/** Decides what becomes of a job that failed, and records it in one commit. */
export async function recordFailure(db: Db, failure: Failure, now: number, log: Logger): Promise<FailureOutcome> {
  const { row, owner } = failure;
  const held = { id: row.id, owner };
  try {
    return await db.transaction().execute((trx) => decide(trx, held, failure, now));
  } catch (error) {
    // `onDead` threw, or the database did; in the latter case this throws too.
    log.error(
      { err: error, job: row.id, kind: row.kind },
      'a job that failed for good could not be wound up; again later',
    );
    await scheduleRetry(db, held, now + ON_DEAD_RETRY_MS, failure.error.message);
    return 'retry';
  }
}

async function decide(trx: Trx, held: HeldJob, failure: Failure, now: number): Promise<FailureOutcome> {
  const { row, handler, error } = failure;
  const current = await trx
    .selectFrom('jobs')
    .select(['max_attempts'])
    .where('id', '=', held.id)
    .where('locked_by', '=', held.owner)
    .executeTakeFirst();
  if (!current) return 'gone';
  if (current.max_attempts === 0) {
    await completeJobs(trx, [held.id], held.owner);
    return 'gone';
  }
  if (row.attempts < current.max_attempts && isRetryable(error) && isJobKind(row.kind)) {
    await scheduleRetry(trx, held, now + backoffMs(row.kind, row.attempts), error.message);
    return 'retry';
  }
  if (handler) await handler.onDead(JSON.parse(row.payload), error, trx);
  await markDead(trx, held, error.message, now);
  return 'dead';
}
