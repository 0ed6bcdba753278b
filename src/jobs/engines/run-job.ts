import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { runAsSystem } from '../../caller.ts';
import type { Db, Trx } from '../../storage/database.ts';
import { VisionError } from '../../vision/vision-error.ts';
import { type JobHandler, type JobHandlers, LeaseLostError, UnretryableError } from '../job-handlers.ts';
import { backoffMs, type JobKind, type JobPayloads, jobKinds } from '../job-kinds.ts';

export interface JobRun {
  readonly id: string;
  readonly kind: JobKind;
  readonly key: string;
  readonly payload: JobPayloads[JobKind];
  /** 1 at the first run. */
  readonly attempt: number;
  /** Error of the attempt before; null where its process ended. */
  readonly lastError: string | null;
  readonly priority: number;
  /** Who has claimed the job: a process, or a worker of graphile-worker. */
  readonly owner: string;
  readonly controller: AbortController;
}

/** How an engine records the end of a run, within a transaction. @throws LeaseLostError where another run has the job. */
export interface RunRecords {
  complete(trx: Trx, run: JobRun): Promise<void>;
  /** False where the job was replaced or cancelled while it ran. */
  isWanted(trx: Trx, run: JobRun): Promise<boolean>;
  retry(trx: Trx, run: JobRun, runAt: Date, error: string): Promise<void>;
  /** Keeps the job as one that failed for good. */
  bury(trx: Trx, run: JobRun, error: string): Promise<void>;
}

export type QueueState = 'idle' | 'working' | 'finishing' | 'stopped';

export interface RunContext {
  readonly db: Db;
  readonly log: Logger;
  readonly records: RunRecords;
  readonly handlers: JobHandlers;
  /** Milliseconds since 1970. */
  now(): number;
  state(): QueueState;
}

/** Whether the queue has stopped, or stops and aborted this run: it gives the job back itself. */
function isGivenBack({ controller }: JobRun, { state }: RunContext): boolean {
  return state() === 'stopped' || (state() === 'finishing' && controller.signal.aborted);
}

const DATABASE_RETRY_MS = 1000;
const ON_DEAD_RETRY_MS = 60_000;

/** Runs a claimed job and records how it ended. @returns `lost` where another run has the job. Never rejects. */
export async function runJob(run: JobRun, context: RunContext): Promise<'ended' | 'lost' | 'given back'> {
  // Its payload is of this kind: both were stored together.
  const handler = context.handlers[run.kind] as JobHandler<JobKind>;
  try {
    try {
      // A request that woke the queue is not the caller of the work that it does then.
      await runAsSystem(() => runHandler(run, handler, context));
    } catch (error) {
      if (error instanceof LeaseLostError) throw error;
      const failure = error instanceof Error ? error : new Error(String(error));
      await persist(run, context, () => recordFailure(run, handler, failure, context));
    }
    return isGivenBack(run, context) ? 'given back' : 'ended';
  } catch {
    // Lost, or given back: no other error gets here.
    return isGivenBack(run, context) ? 'given back' : 'lost';
  }
}

async function runHandler(run: JobRun, handler: JobHandler<JobKind>, context: RunContext): Promise<void> {
  // An attempt counts when it starts. Here the last one ended its process, or `onDead` failed after it.
  if (run.attempt > jobKinds[run.kind].maxAttempts) {
    throw new Error(run.lastError ?? 'The process ended while it did this work.');
  }
  const complete = (write?: (trx: Trx) => Promise<void>): Promise<void> =>
    context.db.transaction().execute(async (trx) => {
      if (context.state() === 'stopped') throw new LeaseLostError(run.id);
      await context.records.complete(trx, run);
      await write?.(trx);
    });
  let completed = false;
  await handler.run(run.payload, {
    attempt: run.attempt,
    signal: run.controller.signal,
    completeWith: async (write) => {
      await complete(write);
      completed = true;
    },
  });
  if (!completed) await persist(run, context, complete);
}

/** Records the end of a run, also where the database is away for a while. */
async function persist(run: JobRun, context: RunContext, record: () => Promise<void>): Promise<void> {
  while (!isGivenBack(run, context)) {
    try {
      return await record();
    } catch (error) {
      if (error instanceof LeaseLostError) throw error;
      context.log.error({ err: error, job: run.id }, 'the end of a job could not be recorded; trying again');
      await pause(DATABASE_RETRY_MS);
    }
  }
}

async function recordFailure(
  run: JobRun,
  handler: JobHandler<JobKind>,
  error: Error,
  { db, log, records, now }: RunContext,
): Promise<void> {
  const { id, kind, attempt } = run;
  // The vision engine refuses by the input alone, so it would refuse again.
  const isRetryable = !(error instanceof UnretryableError || error instanceof VisionError);
  const retries = isRetryable && attempt < jobKinds[kind].maxAttempts;
  const record = async (trx: Trx): Promise<void> => {
    if (!(await records.isWanted(trx, run))) return records.complete(trx, run);
    if (retries) return records.retry(trx, run, new Date(now() + backoffMs(kind, attempt)), error.message);
    await records.bury(trx, run, error.message);
    await handler.onDead(run.payload, error, trx);
  };
  try {
    await db.transaction().execute(record);
    log.warn({ err: error, job: id, kind, attempt, retries }, 'job failed');
  } catch (cause) {
    if (cause instanceof LeaseLostError) throw cause;
    // `onDead` threw, or the database did. In the latter case the retry cannot be recorded either.
    log.error({ err: cause, job: id, kind }, 'a job that failed for good could not be wound up; again later');
    const later = new Date(now() + ON_DEAD_RETRY_MS);
    await db.transaction().execute((trx) => records.retry(trx, run, later, error.message));
  }
}

/** Aborts the runs of a job that was cancelled. */
export function abortRuns(runs: Iterable<JobRun>, key: string): void {
  for (const run of runs) {
    if (run.key === key) run.controller.abort(new Error(`The work of ${key} was cancelled.`));
  }
}

/** Waits for the work, at most so long. */
export async function within(ms: number, work: Promise<unknown>): Promise<void> {
  const timeout = new AbortController();
  await Promise.race([work, pause(ms, undefined, { signal: timeout.signal }).catch(() => {})]);
  timeout.abort();
}
