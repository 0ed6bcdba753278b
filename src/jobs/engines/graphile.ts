import { EventEmitter } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import {
  Logger as GraphileLogger,
  type Job,
  type JobHelpers,
  runMigrations,
  runTaskList,
  type WorkerEvents,
  type WorkerPool,
} from 'graphile-worker';
import pg from 'pg';
import type { Logger } from 'pino';
import type { Db } from '../../storage/database.ts';
import { type AnyJobHandler, collectHandlers, type ErasedJobHandler } from '../job-handlers.ts';
import { type JobKind, type JobLane, jobKinds, jobLanes } from '../job-kinds.ts';
import type { JobCounts, JobQueue, NewJob } from '../job-queue.ts';
import * as rows from './graphile-rows.ts';
import { type GraphileRun, runGraphileJob } from './graphile-run.ts';

export interface GraphileQueueOptions {
  readonly db: Db;
  readonly databaseUrl: string;
  readonly log: Logger;
  /** How many jobs of each lane this process runs at a time; none of a lane with 0. */
  readonly concurrency: Readonly<Record<JobLane, number>>;
  /** The longest that the jobs of a process that vanished wait for another. */
  readonly leaseMs?: number;
}

/** Milliseconds. Jobs that are due wake the queue up; only those that wait for their time are polled for. */
const POLL_INTERVAL_MS = 500;
const ABORT_PATIENCE_MS = 500;
const RESTART_DELAY_MS = 1000;
const DEFAULT_LEASE_MS = 20_000;
/** Parts of the lease. Word that is this old counts no more, and each process looks for it this often: together less than one. */
const EXPIRY = 3 / 4;
const BEAT = 1 / 8;

/** Prepares the database of graphile-worker, for processes that only enqueue too. */
export async function openGraphileQueue(options: GraphileQueueOptions): Promise<GraphileQueue> {
  const pool = new pg.Pool({ connectionString: options.databaseUrl, max: 10 });
  // A connection that breaks is replaced at its next use.
  pool.on('error', (error) => options.log.warn({ err: error }, 'a database connection of the job queue broke'));
  pool.on('connect', (client) => client.on('error', () => {}));
  await runMigrations({ pgPool: pool, logger: graphileLogger(options.log) });
  return new GraphileQueue(options, pool);
}

/** A queue in PostgreSQL for any number of processes on any number of hosts. */
export class GraphileQueue implements JobQueue {
  readonly #options: GraphileQueueOptions;
  readonly #db: Db;
  readonly #log: Logger;
  readonly #pool: pg.Pool;
  readonly #leaseMs: number;
  readonly #runs = new Set<GraphileRun>();
  #workers: WorkerPool[] = [];
  #handlers: ReadonlyMap<JobKind, ErasedJobHandler> = new Map();
  #leaseTimer: NodeJS.Timeout | undefined;
  #state: 'idle' | 'working' | 'finishing' | 'stopped' = 'idle';

  constructor(options: GraphileQueueOptions, pool: pg.Pool) {
    this.#options = options;
    this.#db = options.db;
    this.#log = options.log;
    this.#pool = pool;
    this.#leaseMs = options.leaseMs ?? DEFAULT_LEASE_MS;
  }

  async enqueue(db: Db, job: NewJob): Promise<void> {
    await rows.addJobs(db, [job]);
  }

  async enqueueMany(db: Db, jobs: readonly NewJob[]): Promise<void> {
    await rows.addJobs(db, jobs);
  }

  async cancelByKey(db: Db, key: string): Promise<void> {
    await rows.removeJob(db, key);
  }

  abort(key: string): void {
    this.#abortHere(key);
    rows
      .notifyAbort(this.#db, key)
      .catch((error) => this.#log.error({ err: error, key }, 'an abort could not be sent'));
  }

  /** PostgreSQL notifies at the commit. */
  wake(): void {}

  counts(): Promise<Readonly<Record<JobKind, JobCounts>>> {
    return rows.countGraphileJobs(this.#db);
  }

  hasOpen(db: Db, keys: readonly string[]): Promise<boolean> {
    return rows.hasOpenGraphileJob(db, keys);
  }

  pruneFailed(before: Date): Promise<number> {
    return rows.pruneGraphileJobs(this.#db, before);
  }

  async start(handlers: readonly AnyJobHandler[]): Promise<void> {
    this.#handlers = collectHandlers(handlers);
    this.#state = 'working';
    for (const lane of jobLanes) if (this.#options.concurrency[lane] > 0) this.#work(lane);
    await this.#beat();
    this.#leaseTimer = setInterval(() => void this.#beat(), this.#leaseMs * BEAT).unref();
  }

  async stop({ graceMs }: { readonly graceMs: number }): Promise<void> {
    if (this.#state === 'idle') await this.#pool.end();
    if (this.#state !== 'working') return;
    this.#state = 'finishing';
    const ended = Promise.allSettled(this.#workers.map((worker) => worker.gracefulShutdown()));
    await within(graceMs, ended);
    const late = [...this.#runs];
    for (const run of late) run.controller.abort(new Error('The service is stopping.'));
    await within(ABORT_PATIENCE_MS, ended);
    this.#state = 'stopped';
    clearInterval(this.#leaseTimer);
    const workerIds = this.#workerIds();
    const ids = late.map((run) => run.id);
    try {
      await rows.releaseGraphileJobs(this.#db, workerIds, ids);
      await rows.endWorkerLease(this.#db, workerIds);
    } catch (error) {
      this.#log.error({ err: error }, 'work could not be given back; others take it up when its lease is over');
    }
    await within(ABORT_PATIENCE_MS, this.#pool.end());
  }

  /** Those of replaced lanes count while their last jobs run. */
  #workerIds(): string[] {
    const finishing = [...this.#runs].map((run) => run.workerId);
    return [...new Set([...this.#workers.map((worker) => worker.id), ...finishing])];
  }

  #abortHere(key: string): void {
    for (const run of this.#runs) {
      if (run.key === key) run.controller.abort(new Error(`The work of ${key} was cancelled.`));
    }
  }

  #work(lane: JobLane): void {
    const events: WorkerEvents = new EventEmitter();
    events.on('pool:listen:notification', ({ message }) => {
      const key = rows.findAbortedKey(message.payload);
      if (key !== undefined) this.#abortHere(key);
    });
    const kinds = (Object.keys(jobKinds) as JobKind[]).filter((kind) => jobKinds[kind].lane === lane);
    const run =
      (kind: JobKind) =>
      (_: unknown, { job }: JobHelpers) =>
        this.#run(kind, job);
    const options = {
      concurrency: this.#options.concurrency[lane],
      noHandleSignals: true,
      pollInterval: POLL_INTERVAL_MS,
      logger: graphileLogger(this.#log),
      events,
      // Without batches, a completion that fails would be a rejection that nobody handles, which ends the process.
      preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    };
    const worker = runTaskList(options, Object.fromEntries(kinds.map((kind) => [kind, run(kind)])), this.#pool);
    // It keeps the failure of its first query, which asks for the ids of the tasks, for ever.
    const giveUp = () => setImmediate(() => void worker.gracefulShutdown('The database was gone at the start.'));
    events.once('worker:getJob:error', giveUp);
    for (const answer of ['worker:getJob:empty', 'job:start'] as const) {
      events.once(answer, () => events.off('worker:getJob:error', giveUp));
    }
    // Not its promise: when the database went, it may wait for ever to record the end of its last jobs.
    events.once('pool:gracefulShutdown', ({ message }) => this.#replaceWorker(lane, worker, message));
    worker.promise.catch((error) => this.#log.debug({ err: error, lane }, 'a lane of the job queue has ended'));
    this.#workers.push(worker);
  }

  /** graphile-worker gives up a lane when the connection on which it records the end of a job breaks. */
  #replaceWorker(lane: JobLane, worker: WorkerPool, reason: string): void {
    if (this.#state !== 'working') return;
    this.#log.warn({ lane, reason }, 'a lane of the job queue has stopped; starting it again');
    this.#workers = this.#workers.filter((other) => other !== worker);
    setTimeout(() => {
      if (this.#state === 'working') this.#work(lane);
    }, RESTART_DELAY_MS).unref();
  }

  /** Says that this process lives, and takes the jobs of those that no longer do. */
  async #beat(): Promise<void> {
    try {
      const workerIds = this.#workerIds();
      const expiryMs = this.#leaseMs * EXPIRY;
      const at = await rows.renewWorkerLease(this.#db, workerIds, expiryMs);
      const running = [...this.#runs].map((run) => run.id);
      const lost = await rows.releaseLostJobs(this.#db, workerIds, running, { at, leaseMs: expiryMs });
      const jobs = lost + (await rows.releaseDeadWorkers(this.#db, workerIds, expiryMs));
      if (jobs > 0) this.#log.warn({ jobs }, 'taking up work that was left unfinished');
    } catch (error) {
      this.#log.error({ err: error }, 'the lease of this process could not be renewed');
    }
  }

  async #run(kind: JobKind, job: Job): Promise<void> {
    const handler = this.#handlers.get(kind);
    if (!handler) throw new Error(`There is no handler for jobs of kind "${kind}".`);
    const run = { id: job.id, workerId: job.locked_by ?? '', kind, key: job.key, controller: new AbortController() };
    this.#runs.add(run);
    try {
      await runGraphileJob(run, job, handler, {
        db: this.#db,
        log: this.#log,
        isStopped: () => this.#state === 'stopped',
        isGivenBack: ({ controller }) => this.#state === 'finishing' && controller.signal.aborted,
      });
    } finally {
      this.#runs.delete(run);
      // Once stopped, graphile-worker has no connection on which to record how a late run ended.
      if (this.#state === 'stopped') await new Promise(() => {});
    }
  }
}

async function within(ms: number, work: Promise<unknown>): Promise<void> {
  const timeout = new AbortController();
  await Promise.race([work, pause(ms, undefined, { signal: timeout.signal }).catch(() => {})]);
  timeout.abort();
}

function graphileLogger(log: Logger): GraphileLogger {
  return new GraphileLogger(() => (level, message) => {
    // What happens to each job is logged here already.
    if (level === 'warning') log.warn(message);
    else log.debug(message);
  });
}
