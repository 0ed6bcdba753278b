import type { Logger } from 'pino';
import type { Db, Trx } from '../../storage/database.ts';
import { type ErasedJobHandler, isRetryable } from '../job-handlers.ts';
import { backoffMs, type JobKind, type JobPayloads, jobKinds } from '../job-kinds.ts';
import * as rows from './graphile-rows.ts';
import type { FailureOutcome } from './job-failure.ts';

export interface GraphileFailure extends rows.HeldGraphileJob {
  readonly kind: JobKind;
  readonly handler: ErasedJobHandler;
  readonly payload: JobPayloads[JobKind];
  readonly attempt: number;
  readonly error: Error;
}

const ON_DEAD_RETRY_MS = 60_000;

/** Decides what becomes of a job that failed, and records it in one commit. */
export async function recordGraphileFailure(db: Db, failure: GraphileFailure, log: Logger): Promise<FailureOutcome> {
  try {
    return await db.transaction().execute((trx) => decide(trx, failure));
  } catch (error) {
    // `onDead` threw, or the database did; in the latter case this throws too.
    log.error(
      { err: error, job: failure.id, kind: failure.kind },
      'a job that failed for good could not be wound up; again later',
    );
    await db
      .transaction()
      .execute((trx) => rows.retryGraphileJob(trx, failure, ON_DEAD_RETRY_MS, failure.error.message));
    return 'retry';
  }
}

async function decide(trx: Trx, failure: GraphileFailure): Promise<FailureOutcome> {
  const { kind, handler, payload, attempt, error } = failure;
  const state = await rows.findJobState(trx, failure);
  if (state === 'gone') return 'gone';
  if (state === 'replaced') {
    await rows.completeGraphileJob(trx, failure);
    return 'gone';
  }
  if (attempt < jobKinds[kind].maxAttempts && isRetryable(error)) {
    await rows.retryGraphileJob(trx, failure, backoffMs(kind, attempt), error.message);
    return 'retry';
  }
  await handler.onDead(payload, error, trx);
  await rows.buryGraphileJob(trx, failure, error.message);
  return 'dead';
}
