import type { Trx } from '../storage/database.ts';
import { VisionError } from '../vision/vision-error.ts';
import { type JobKind, type JobPayloads, jobKinds } from './job-kinds.ts';

export interface JobContext {
  /** 1 at the first run. */
  readonly attempt: number;
  /** Aborted by `JobQueue.abort` and when the process stops without waiting any longer. */
  readonly signal: AbortSignal;
  /**
   * Marks the job as done inside the handler's own transaction, so that its result and its end are one commit.
   * @throws LeaseLostError where the job is no longer this run's: let it roll the transaction back.
   */
  completeIn(trx: Trx): Promise<void>;
  /**
   * Stores the result and the job's end in one commit, which jobs that end at the same moment share. `write` may be
   * called a second time where another job's write broke the shared transaction; it must do nothing but write to `trx`.
   */
  completeWith(write: (trx: Trx) => Promise<void>): Promise<void>;
}

export interface JobHandler<K extends JobKind> {
  readonly kind: K;
  /** May be called again for work that was already done (at least once): must be idempotent. Returning ends the job. */
  run(payload: JobPayloads[K], context: JobContext): Promise<void>;
  /** Called once the job has failed for good, in the transaction that marks it so. */
  onDead(payload: JobPayloads[K], error: Error, trx: Trx): Promise<void>;
}

export type AnyJobHandler = { [K in JobKind]: JobHandler<K> }[JobKind];

/** A handler whose payload type is no longer known, as the engines call it. */
export type ErasedJobHandler = JobHandler<JobKind>;

/** Thrown by a handler whose job would fail in the same way at every further attempt. */
export class UnretryableError extends Error {
  override readonly name = 'UnretryableError';
}

/** The engine's refusals depend on the input alone: they would come again. */
export function isRetryable(error: Error): boolean {
  return !(error instanceof UnretryableError || error instanceof VisionError);
}

export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError';
}

/** @throws where a kind has no handler or more than one, naming all of them. */
export function collectHandlers(handlers: readonly AnyJobHandler[]): ReadonlyMap<JobKind, ErasedJobHandler> {
  const complaints: string[] = [];
  for (const kind of Object.keys(jobKinds)) {
    const count = handlers.filter((handler) => handler.kind === kind).length;
    if (count === 0) complaints.push(`no handler for jobs of kind "${kind}"`);
    if (count > 1) complaints.push(`${count} handlers for jobs of kind "${kind}"`);
  }
  for (const handler of handlers) {
    if (!Object.hasOwn(jobKinds, handler.kind)) complaints.push(`a handler for the unknown kind "${handler.kind}"`);
  }
  if (complaints.length > 0) {
    throw new Error(
      `Job handlers: ${complaints.join('; ')}. Register exactly one handler for each kind of job-kinds.ts.`,
    );
  }
  return new Map(handlers.map((handler) => [handler.kind, handler as unknown as ErasedJobHandler]));
}
