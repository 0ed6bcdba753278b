import { setTimeout as pause } from 'node:timers/promises';
import type { Job } from 'graphile-worker';
import type { Logger } from 'pino';
import type { Db, Trx } from '../../storage/database.ts';
import { type ErasedJobHandler, LeaseLostError } from '../job-handlers.ts';
import { type JobKind, type JobPayloads, jobKinds } from '../job-kinds.ts';
import { type GraphileFailure, recordGraphileFailure } from './graphile-failure.ts';
import { completeGraphileJob, type HeldGraphileJob, releaseGraphileJobs } from './graphile-rows.ts';

export interface GraphileRun extends HeldGraphileJob {
  readonly kind: JobKind;
  readonly key: string | null;
  readonly controller: AbortController;
}

/** What a run needs of its queue. */
export interface GraphileBookkeeping {
  readonly db: Db;
  readonly log: Logger;
  isStopped(): boolean;
  /** The queue stops, and the job is to be put back untried. */
  isGivenBack(run: GraphileRun): boolean;
}

const DATABASE_RETRY_MS = 1000;

/**
 * Runs a claimed job and records how it ended.
 * @throws where it failed, after recording it: whatever is thrown keeps graphile-worker from completing the job.
 */
export async function runGraphileJob(
  run: GraphileRun,
  job: Job,
  handler: ErasedJobHandler,
  queue: GraphileBookkeeping,
): Promise<void> {
  const payload = job.payload as JobPayloads[JobKind];
  try {
    // Its last attempt killed the process, or its end could not be recorded.
    if (job.attempts > jobKinds[run.kind].maxAttempts) throw new Error(job.last_error ?? 'All attempts are used up.');
    let recorded = false;
    await handler.run(payload, {
      attempt: job.attempts,
      signal: run.controller.signal,
      completeIn: (trx) => completeInside(trx, run),
      completeWith: async (write) => {
        await queue.db.transaction().execute(async (trx) => {
          await completeInside(trx, run);
          await write(trx);
        });
        recorded = true;
      },
    });
    if (!recorded) await endSurely(run, queue);
  } catch (thrown) {
    const error = thrown instanceof Error ? thrown : new Error(String(thrown));
    await settleFailure(run, { ...run, handler, payload, attempt: job.attempts, error }, queue);
    throw error;
  }
}

async function completeInside(trx: Trx, run: GraphileRun): Promise<void> {
  if (await completeGraphileJob(trx, run)) return;
  throw new LeaseLostError(`Job ${run.id} is no longer this run's; its result is dropped.`);
}

/** The work is done: only its record is missing. */
async function endSurely(run: GraphileRun, queue: GraphileBookkeeping): Promise<void> {
  while (!queue.isStopped()) {
    try {
      await queue.db.transaction().execute((trx) => completeGraphileJob(trx, run));
      return;
    } catch (error) {
      queue.log.error({ err: error, job: run.id }, 'the end of a job could not be recorded; trying again');
      await pause(DATABASE_RETRY_MS);
    }
  }
}

async function settleFailure(run: GraphileRun, failure: GraphileFailure, queue: GraphileBookkeeping): Promise<void> {
  const { id, workerId, kind, attempt, error } = failure;
  while (!queue.isStopped()) {
    try {
      if (queue.isGivenBack(run)) return await releaseGraphileJobs(queue.db, [workerId], [id]);
      const outcome = await recordGraphileFailure(queue.db, failure, queue.log);
      return queue.log.warn({ err: error, job: id, kind, attempt, outcome }, 'job failed');
    } catch (cause) {
      queue.log.error({ err: cause, job: id }, 'the failure of a job could not be recorded; trying again');
      await pause(DATABASE_RETRY_MS);
    }
  }
}
