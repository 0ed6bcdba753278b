import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Db } from '../../storage/database.ts';
import { unsyncedTransaction } from '../../storage/unsynced-transaction.ts';
import type { JobHandlers } from '../job-handlers.ts';
import { type QueueName, queueNames } from '../job-kinds.ts';
import type { JobCountsByKind, JobQueue, NewJob } from '../job-queue.ts';
import * as rows from './job-rows.ts';
import { type JobRun, type RunContext, runJob } from './run-job.ts';

export interface EmbeddedQueueOptions {
  readonly db: Db;
  readonly log: Logger;
  /** How many jobs of each queue run at a time. */
  readonly concurrency: Readonly<Record<QueueName, number>>;
  /** Milliseconds since 1970; the machine's clock where absent. */
  readonly now?: () => number;
}

/** For jobs whose time comes, and for commits without a call of `wake`. */
const POLL_INTERVAL_MS = 500;
const ABORT_PATIENCE_MS = 500;

interface NamedQueue {
  readonly name: QueueName;
  /** The runs, each with the promise that settles when it is recorded. */
  readonly running: Map<JobRun, Promise<void>>;
  /** Whether a claim may find a job. */
  mayHaveJobs: boolean;
}

/** A queue in a table of the service's own database, for one process. */
export class EmbeddedQueue implements JobQueue {
  readonly #db: Db;
  readonly #log: Logger;
  readonly #options: EmbeddedQueueOptions;
  readonly #now: () => number;
  readonly #owner = randomUUID();
  readonly #queues: readonly NamedQueue[];
  #context: RunContext | undefined;
  #state: 'idle' | 'working' | 'finishing' | 'stopped' = 'idle';
  #claiming: Promise<void> | undefined;
  #pollTimer: NodeJS.Timeout | undefined;

  constructor(options: EmbeddedQueueOptions) {
    this.#db = options.db;
    this.#log = options.log;
    this.#options = options;
    this.#now = options.now ?? Date.now;
    this.#queues = queueNames.map((name) => ({ name, running: new Map(), mayHaveJobs: true }));
  }

  async enqueue(db: Db, job: NewJob): Promise<void> {
    await this.enqueueMany(db, [job]);
  }

  async enqueueMany(db: Db, jobs: readonly NewJob[]): Promise<void> {
    const insert = (trx: Db) => rows.insertJobs(trx, jobs, this.#now());
    if (db.isTransaction) return insert(db);
    await db.transaction().execute(insert);
    this.wake();
  }

  async cancelByKey(db: Db, key: string): Promise<void> {
    if (db.isTransaction) await rows.cancelJob(db, key);
    else await db.transaction().execute((trx) => rows.cancelJob(trx, key));
  }

  abort(key: string): void {
    for (const run of this.#runs()) {
      if (run.key === key) run.controller.abort(new Error(`The work of ${key} was cancelled.`));
    }
  }

  async start(handlers: JobHandlers): Promise<void> {
    const owner = this.#owner;
    this.#context = {
      db: this.#db,
      log: this.#log,
      handlers,
      records: {
        complete: (trx, run) => rows.completeJob(trx, run, owner),
        isWanted: (trx, run) => rows.isWanted(trx, run, owner),
        retry: (trx, run, afterMs, error) =>
          rows.endAttempt(trx, run, owner, { run_at: new Date(this.#now() + afterMs).toISOString() }, error),
        bury: (trx, run, error) =>
          rows.endAttempt(trx, run, owner, { failed_at: new Date(this.#now()).toISOString() }, error),
      },
      isGivenBack: ({ controller }) =>
        this.#state === 'stopped' || (this.#state === 'finishing' && controller.signal.aborted),
    };
    const orphans = await this.#db.transaction().execute(rows.releaseOrphans);
    if (orphans > 0) this.#log.warn({ jobs: orphans }, 'taking up work that an earlier process left unfinished');
    this.#state = 'working';
    this.#pollTimer = setInterval(() => this.wake(), POLL_INTERVAL_MS).unref();
    this.wake();
  }

  wake(): void {
    for (const queue of this.#queues) queue.mayHaveJobs = true;
    this.#claimSoon();
  }

  hasOpen(db: Db, keys: readonly string[]): Promise<boolean> {
    return rows.hasOpenJob(db, keys);
  }

  counts(): Promise<JobCountsByKind> {
    return rows.countJobs(this.#db);
  }

  pruneFailed(before: Date): Promise<void> {
    return rows.pruneFailedJobs(this.#db, before);
  }

  async stop({ graceMs }: { readonly graceMs: number }): Promise<void> {
    if (this.#state !== 'working') return;
    this.#state = 'finishing';
    clearInterval(this.#pollTimer);
    await this.#claiming;
    await this.#settled(graceMs);
    const late = this.#runs();
    for (const run of late) run.controller.abort(new Error('The service is stopping.'));
    await this.#settled(ABORT_PATIENCE_MS);
    this.#state = 'stopped';
    await this.#release(late.map((run) => Number(run.id)));
  }

  async #release(ids: readonly number[]): Promise<void> {
    if (ids.length === 0) return;
    await this.#db.transaction().execute((trx) => rows.releaseJobs(trx, ids, this.#owner));
  }

  #runs(): JobRun[] {
    return this.#queues.flatMap((queue) => [...queue.running.keys()]);
  }

  async #settled(withinMs: number): Promise<void> {
    const timeout = new AbortController();
    const all = Promise.all(this.#queues.flatMap((queue) => [...queue.running.values()]));
    await Promise.race([all, pause(withinMs, undefined, { signal: timeout.signal }).catch(() => undefined)]);
    timeout.abort();
  }

  #claimSoon(): void {
    this.#claiming ??= this.#claim();
  }

  /** Claims until every queue is full or has no job that is due. */
  async #claim(): Promise<void> {
    // Several jobs may end in this pass of the event loop: one claim fills all their places.
    await new Promise((resolve) => setImmediate(resolve));
    for (;;) {
      const open = this.#queues.filter((queue) => queue.mayHaveJobs && this.#roomIn(queue) > 0);
      if (this.#state !== 'working' || open.length === 0) break;
      // Reset before the claim, so that a wake-up during the claim is not lost.
      for (const queue of open) queue.mayHaveJobs = false;
      try {
        await this.#claimFor(open);
      } catch (error) {
        this.#log.error({ err: error }, 'the job queue cannot use the database; trying again');
        break;
      }
    }
    this.#claiming = undefined;
  }

  async #claimFor(queues: readonly NamedQueue[]): Promise<void> {
    // The commit need not reach the disk: after a power cut, all claimed jobs are released at the start anyway.
    const claims = await unsyncedTransaction(this.#db, async (trx) => {
      const claimed = [];
      for (const queue of queues) {
        const claim = { queue: queue.name, limit: this.#roomIn(queue), owner: this.#owner };
        claimed.push({ queue, limit: claim.limit, jobs: await rows.claimJobs(trx, claim, this.#now()) });
      }
      return claimed;
    });
    // The queue may be stopping by now.
    if (this.#state !== 'working') return this.#release(claims.flatMap(({ jobs }) => jobs.map(({ id }) => id)));
    for (const { queue, limit, jobs } of claims) {
      if (jobs.length === limit) queue.mayHaveJobs = true;
      for (const job of jobs) this.#run(queue, job);
    }
  }

  #roomIn(queue: NamedQueue): number {
    return this.#options.concurrency[queue.name] - queue.running.size;
  }

  #run(queue: NamedQueue, row: rows.JobRow): void {
    const context = this.#context;
    if (!context) throw new Error('The queue has not been started.');
    const run: JobRun = {
      id: String(row.id),
      kind: row.kind,
      key: row.key,
      payload: JSON.parse(row.payload),
      attempt: row.attempts,
      lastError: row.last_error,
      priority: row.priority,
      controller: new AbortController(),
    };
    const done = runJob(run, context).then(() => {
      queue.running.delete(run);
      this.#claimSoon();
    });
    queue.running.set(run, done);
  }
}
