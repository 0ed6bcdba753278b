import type { Trx } from '../storage/database.ts';
import type { JobKind, JobPayloads } from './job-kinds.ts';

export interface JobContext {
  /** 1 at the first run. */
  readonly attempt: number;
  /** Aborted by `JobQueue.abort` and when the process stops without waiting any longer. */
  readonly signal: AbortSignal;
  /**
   * Stores the result and the end of the job in one commit. `write` must do nothing but write to `trx`.
   * @throws LeaseLostError where another process has the job by now; nothing is stored then.
   */
  completeWith(write: (trx: Trx) => Promise<void>): Promise<void>;
}

export interface JobHandler<K extends JobKind> {
  /** May be called again for work that was already done (at least once): must be idempotent. Returning ends the job. */
  run(payload: JobPayloads[K], context: JobContext): Promise<void>;
  /** Called once the job has failed for good, in the transaction that marks it so. */
  onDead(payload: JobPayloads[K], error: Error, trx: Trx): Promise<void>;
}

export type JobHandlers = { readonly [K in JobKind]: JobHandler<K> };

/** Thrown by a handler whose job would fail in the same way at every further attempt. */
export class UnretryableError extends Error {
  override readonly name = 'UnretryableError';
}

/** Thrown to a run whose job was given to another run, or given back. */
export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError';

  constructor(id: string | number) {
    super(`Job ${id} is no longer this run's; its result is dropped.`);
  }
}
