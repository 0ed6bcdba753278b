import type { Db } from '../storage/database.ts';
import type { AnyJobHandler } from './job-handlers.ts';
import type { JobKind, JobPayloads } from './job-kinds.ts';

export interface NewJobOf<K extends JobKind> {
  readonly kind: K;
  readonly payload: JobPayloads[K];
  /** An open job with this key is replaced, not doubled; if it is running, it isn't tried again after this run. */
  readonly key?: string;
  /** Absent: as soon as possible. */
  readonly runAt?: Date;
  /** Smaller runs earlier; 0 where absent. */
  readonly priority?: number;
}

export type NewJob = { [K in JobKind]: NewJobOf<K> }[JobKind];

export interface JobCounts {
  readonly waiting: number;
  readonly running: number;
  readonly failed: number;
}

/** Durable background work, at least once.. */
export interface JobQueue {
  /** `db` is the caller's transaction or the database. In a transaction: call `wake` after the commit. */
  enqueue(db: Db, job: NewJob): Promise<void>;
  enqueueMany(db: Db, jobs: readonly NewJob[]): Promise<void>;
  /** Forgets the waiting job of this key; one that runs goes on but isn't tried again (see `abort`). */
  cancelByKey(db: Db, key: string): Promise<void>;
  /** Aborts the signal of a running job of this key, if there is one. Call it after the commit of what made it pointless. */
  abort(key: string): void;
  /** Begins to work; takes up what a process that died has left. Before it, jobs can be enqueued all the same. */
  start(handlers: readonly AnyJobHandler[]): Promise<void>;
  /** Looks for work that is due now: of one kind where only that was enqueued, which costs a third. */
  wake(kind?: JobKind): void;
  /** Whether a job of one of these keys waits or runs; one that was replaced while it ran counts no more. */
  hasOpen(db: Db, keys: readonly string[]): Promise<boolean>;
  counts(): Promise<Readonly<Record<JobKind, JobCounts>>>;
  /** Forgets jobs that failed for good before the given moment. Returns how many. */
  pruneFailed(before: Date): Promise<number>;
  /** Takes no new jobs, waits for running ones up to `graceMs`, then aborts them and gives them back untried. */
  stop(options: { readonly graceMs: number }): Promise<void>;
}
