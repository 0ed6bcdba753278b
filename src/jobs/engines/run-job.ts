import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Db, Trx } from '../../storage/database.ts';
import { type ErasedJobHandler, UnretryableError } from '../job-handlers.ts';
import { completeInside } from './endings.ts';
import { type Failure, recordFailure } from './job-failure.ts';
import type { JobRun } from './lane.ts';

/** What a run needs of its queue. */
export interface Bookkeeping {
  readonly db: Db;
  readonly log: Logger;
  readonly owner: string;
  now(): number;
  /** Records the end of a job, together with what `write` stores. */
  end(id: number, write?: (trx: Trx) => Promise<void>): Promise<void>;
  isStopped(): boolean;
  /** The queue stops and puts the job back itself: how it ended is of no interest. */
  isGivenBack(run: JobRun): boolean;
  noteRetry(): void;
}

const DATABASE_RETRY_MS = 1000;

/** Runs a claimed job and records how it ended. Never rejects. */
export async function runJob(run: JobRun, handler: ErasedJobHandler | undefined, queue: Bookkeeping): Promise<void> {
  const { row } = run;
  try {
    if (!handler) throw new UnretryableError(`This release has no work of kind "${row.kind}".`);
    // Its last attempt killed the process, or its end could not be recorded.
    if (row.attempts > row.max_attempts) throw new Error(row.last_error ?? 'All attempts are used up.');
    let recorded = false;
    await handler.run(JSON.parse(row.payload), {
      attempt: row.attempts,
      signal: run.controller.signal,
      completeIn: (trx) => completeInside(trx, row.id, queue.owner),
      completeWith: async (write) => {
        await queue.end(row.id, write);
        recorded = true;
      },
    });
    if (!recorded) await endSurely(row.id, queue);
  } catch (error) {
    await settleFailure(run, handler, error instanceof Error ? error : new Error(String(error)), queue);
  }
}

/** The work is done: only its record is missing. */
async function endSurely(id: number, queue: Bookkeeping): Promise<void> {
  while (!queue.isStopped()) {
    try {
      return await queue.end(id);
    } catch (error) {
      queue.log.error({ err: error, job: id }, 'the end of a job could not be recorded; trying again');
      await pause(DATABASE_RETRY_MS);
    }
  }
}

async function settleFailure(
  run: JobRun,
  handler: ErasedJobHandler | undefined,
  error: Error,
  queue: Bookkeeping,
): Promise<void> {
  const { id, kind, attempts } = run.row;
  const failure: Failure = { row: run.row, handler, error, owner: queue.owner };
  while (!queue.isGivenBack(run)) {
    try {
      const outcome = await recordFailure(queue.db, failure, queue.now(), queue.log);
      queue.noteRetry();
      queue.log.warn({ err: error, job: id, kind, attempt: attempts, outcome }, 'job failed');
      return;
    } catch (cause) {
      queue.log.error({ err: cause, job: id }, 'the failure of a job could not be recorded; trying again');
      await pause(DATABASE_RETRY_MS);
    }
  }
}
