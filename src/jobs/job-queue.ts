import type { Db } from '../storage/database.ts';
import type { JobHandlers } from './job-handlers.ts';
import type { JobKind, JobPayloads } from './job-kinds.ts';

interface NewJobOf<K extends JobKind> {
  readonly kind: K;
  readonly payload: JobPayloads[K];
  /** An open job with this key is replaced, not doubled. If it is running, it isn't tried again after this run. */
  readonly key: string;
  /** Absent: as soon as possible. */
  readonly runAt?: Date;
  /** Smaller runs earlier; 0 where absent. */
  readonly priority?: number;
}

export type NewJob = { [K in JobKind]: NewJobOf<K> }[JobKind];

export type JobCountsByKind = Readonly<Record<JobKind, { waiting: number; running: number; failed: number }>>;

/** Durable background work. Each job runs at least once; its result is stored once. */
export interface JobQueue {
  /** `db` is the caller's transaction or the database. In a transaction: call `wake` after the commit. */
  enqueue(db: Db, jobs: NewJob | readonly NewJob[]): Promise<void>;
  /** Forgets the waiting job of this key. A running one goes on but isn't tried again (see `abort`). */
  cancelByKey(db: Db, key: string): Promise<void>;
  /** Aborts the signal of a running job of this key. Call it after `cancelByKey` is committed. */
  abort(key: string): void;
  /** Begins to work, and takes up the jobs of a process that died. Jobs can be enqueued before. */
  start(handlers: JobHandlers): Promise<void>;
  /** Looks for work that is due now. */
  wake(): void;
  /** Whether a job of one of these keys waits or runs. A job that was replaced while it ran counts no more. */
  hasOpen(db: Db, keys: readonly string[]): Promise<boolean>;
  /** @param db the caller's transaction, where it has one */
  counts(db?: Db): Promise<JobCountsByKind>;
  /** Whether this process takes jobs, and no other one did a moment ago: it will most likely run what it enqueues. */
  worksAlone(): boolean;
  /** Forgets jobs that failed for good before the given moment. */
  pruneFailed(before: Date): Promise<void>;
  /** Takes no new jobs, waits for running ones up to `graceMs`, then aborts them and gives them back untried. */
  stop(options: { readonly graceMs: number }): Promise<void>;
}
