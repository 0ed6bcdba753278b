import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Db } from '../../storage/database.ts';
import { unsyncedTransaction } from '../../storage/unsynced-transaction.ts';
import type { JobHandlers } from '../job-handlers.ts';
import { jobKinds, type QueueName, queueNames } from '../job-kinds.ts';
import type { JobCountsByKind, JobQueue, NewJob } from '../job-queue.ts';
import * as rows from './job-rows.ts';
import { abortRuns, type JobRun, type QueueState, type RunContext, runJob, within } from './run-job.ts';

interface EmbeddedQueueOptions {
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

/** A queue in a table of the service's own database, for one process. */
export class EmbeddedQueue implements JobQueue {
  readonly hasOpen = rows.hasOpenJob;
  readonly #db: Db;
  readonly #log: Logger;
  readonly #concurrency: EmbeddedQueueOptions['concurrency'];
  readonly #now: () => number;
  readonly #owner = randomUUID();
  /** The runs, each with the promise that settles when it is recorded. */
  readonly #running = new Map<JobRun, Promise<void>>();
  #context: RunContext | undefined;
  #state: QueueState = 'idle';
  /** Queues in which jobs may wait. */
  readonly #toClaim = new Set<QueueName>();
  #claiming: Promise<void> | undefined;
  #pollTimer: NodeJS.Timeout | undefined;

  constructor({ db, log, concurrency, now = Date.now }: EmbeddedQueueOptions) {
    this.#db = db;
    this.#log = log;
    this.#concurrency = concurrency;
    this.#now = now;
  }

  async enqueue(db: Db, jobs: NewJob | readonly NewJob[]): Promise<void> {
    const added = [jobs].flat();
    const insert = (trx: Db) => rows.insertJobs(trx, added, this.#now());
    await (db.isTransaction ? insert(db) : db.transaction().execute(insert));
    for (const { kind } of added) this.#toClaim.add(jobKinds[kind].queue);
    if (!db.isTransaction) this.wake();
  }

  async cancelByKey(db: Db, key: string): Promise<void> {
    if (db.isTransaction) await rows.cancelJob(db, key);
    else await db.transaction().execute((trx) => rows.cancelJob(trx, key));
  }

  abort(key: string): void {
    abortRuns(this.#running.keys(), key);
  }

  async start(handlers: JobHandlers): Promise<void> {
    this.#context = {
      db: this.#db,
      log: this.#log,
      records: rows.jobRecords,
      handlers,
      now: this.#now,
      state: () => this.#state,
    };
    const orphans = await this.#db.transaction().execute(rows.releaseOrphans);
    if (orphans > 0) this.#log.warn({ jobs: orphans }, 'taking up work that an earlier process left unfinished');
    this.#state = 'working';
    this.#pollTimer = setInterval(() => this.#poll(), POLL_INTERVAL_MS).unref();
    this.#poll();
  }

  wake(): void {
    this.#claiming ??= this.#claim();
  }

  #poll(): void {
    for (const queue of queueNames) this.#toClaim.add(queue);
    this.wake();
  }

  worksAlone(): boolean {
    return this.#concurrency.compute > 0 && this.#state === 'working';
  }

  counts(db = this.#db): Promise<JobCountsByKind> {
    return rows.countJobs(db);
  }

  pruneFailed(before: Date): Promise<void> {
    return rows.pruneFailedJobs(this.#db, before);
  }

  async stop({ graceMs }: { readonly graceMs: number }): Promise<void> {
    if (this.#state !== 'working') return;
    this.#state = 'finishing';
    clearInterval(this.#pollTimer);
    await this.#claiming;
    await within(graceMs, Promise.all(this.#running.values()));
    const late = [...this.#running.keys()];
    for (const run of late) run.controller.abort(new Error('The service is stopping.'));
    await within(ABORT_PATIENCE_MS, Promise.all(this.#running.values()));
    this.#state = 'stopped';
    await this.#release(late);
  }

  async #release(runs: readonly JobRun[]): Promise<void> {
    if (runs.length === 0) return;
    await this.#db.transaction().execute((trx) => rows.releaseJobs(trx, runs, this.#owner));
  }

  /** Claims until the queues with jobs have no room. */
  async #claim(): Promise<void> {
    // Several jobs may end in this pass of the event loop: one claim fills all their places.
    await new Promise((resolve) => setImmediate(resolve));
    try {
      while (this.#state === 'working' && this.#claims().length > 0) await this.#claimDue();
    } catch (error) {
      this.#log.error({ err: error }, 'the job queue cannot use the database; trying again');
    }
    this.#claiming = undefined;
  }

  #claims(): { queue: QueueName; limit: number; owner: string }[] {
    const rooms = [...this.#toClaim].map((queue) => ({ queue, limit: this.#roomIn(queue), owner: this.#owner }));
    return rooms.filter(({ limit }) => limit > 0);
  }

  async #claimDue(): Promise<void> {
    const context = this.#context;
    if (!context) return;
    const claims = this.#claims();
    for (const { queue } of claims) this.#toClaim.delete(queue);
    // The commit need not reach the disk: after a power cut, all claimed jobs are released at the start anyway.
    const claimed = await unsyncedTransaction(this.#db, async (trx) => {
      const runs: JobRun[] = [];
      for (const claim of claims) {
        const found = await rows.claimJobs(trx, claim, this.#now());
        // More jobs may wait than there was room for.
        if (found.length === claim.limit) this.#toClaim.add(claim.queue);
        runs.push(...found);
      }
      return runs;
    });
    // The queue may be stopping by now.
    if (this.#state !== 'working') return this.#release(claimed);
    for (const run of claimed) this.#run(run, context);
  }

  #roomIn(queue: QueueName): number {
    const running = [...this.#running.keys()].filter(({ kind }) => jobKinds[kind].queue === queue);
    return this.#concurrency[queue] - running.length;
  }

  #run(run: JobRun, context: RunContext): void {
    const ended = runJob(run, context).then(() => {
      this.#running.delete(run);
      this.wake();
    });
    this.#running.set(run, ended);
  }
}
