import { EventEmitter } from 'node:events';
import { Logger as GraphileLogger, type Job, runMigrations, runTaskList, type WorkerPool } from 'graphile-worker';
import pg from 'pg';
import type { Logger } from 'pino';
import type { Db } from '../../storage/database.ts';
import { type JobHandlers, LeaseLostError } from '../job-handlers.ts';
import { type JobKind, type JobPayloads, jobKinds, kindNames, type QueueName, queueNames } from '../job-kinds.ts';
import type { JobCountsByKind, JobQueue } from '../job-queue.ts';
import * as rows from './graphile-rows.ts';
import { abortRuns, type JobRun, type QueueState, type RunContext, runJob, within } from './run-job.ts';

interface GraphileQueueOptions {
  readonly db: Db;
  readonly databaseUrl: string;
  readonly log: Logger;
  /** How many jobs of each queue this process runs at a time; none of a queue with 0. */
  readonly concurrency: Readonly<Record<QueueName, number>>;
  /** The longest that the jobs of a process that vanished wait for another. */
  readonly leaseMs?: number;
}

/**
 * Milliseconds. Jobs that are due wake the queue up; only those that wait for their time are polled for. Each of the 69
 * workers polls, and these statements slow an inspection down.
 */
const POLL_INTERVAL_MS = 1000;
const ABORT_PATIENCE_MS = 500;
const RESTART_DELAY_MS = 1000;
const DEFAULT_LEASE_MS = 20_000;
/** Shares of the lease: how long a heartbeat is valid, and the time between two. Their sum must be below one. */
const EXPIRY = 3 / 4;
const BEAT = 1 / 8;

/** Runs graphile-worker's migrations. Processes that only enqueue need them too. */
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
  readonly enqueue = rows.addJobs;
  readonly cancelByKey = rows.removeJob;
  readonly hasOpen = rows.hasOpenJob;
  readonly #options: GraphileQueueOptions;
  readonly #db: Db;
  readonly #log: Logger;
  readonly #pool: pg.Pool;
  readonly #leaseMs: number;
  /** The runs, each with the promise that settles when its end is recorded. */
  readonly #runs = new Map<JobRun, Promise<unknown>>();
  #workers: WorkerPool[] = [];
  #beatTimer: NodeJS.Timeout | undefined;
  #lookingForDead = false;
  #worksAlone = false;
  #state: QueueState = 'idle';

  constructor(options: GraphileQueueOptions, pool: pg.Pool) {
    this.#options = options;
    this.#db = options.db;
    this.#log = options.log;
    this.#pool = pool;
    this.#leaseMs = options.leaseMs ?? DEFAULT_LEASE_MS;
  }

  /** Other processes find out at their next beat. */
  abort(key: string): void {
    abortRuns(this.#runs.keys(), key);
  }

  /** PostgreSQL notifies at the commit. */
  wake(): void {}

  counts(db = this.#db): Promise<JobCountsByKind> {
    return rows.countJobs(db);
  }

  /** As of the last beat. */
  worksAlone(): boolean {
    return this.#worksAlone && this.#state === 'working';
  }

  pruneFailed(before: Date): Promise<void> {
    return rows.pruneFailedJobs(this.#db, before);
  }

  async start(handlers: JobHandlers): Promise<void> {
    const context: RunContext = {
      db: this.#db,
      log: this.#log,
      records: rows.graphileRecords,
      handlers,
      now: Date.now,
      state: () => this.#state,
    };
    this.#state = 'working';
    for (const queue of queueNames) if (this.#options.concurrency[queue] > 0) this.#work(queue, context);
    await this.#beat();
    this.#beatTimer = setInterval(() => void this.#beat(), this.#leaseMs * BEAT).unref();
  }

  async stop({ graceMs }: { readonly graceMs: number }): Promise<void> {
    if (this.#state === 'idle') await this.#pool.end();
    if (this.#state !== 'working') return;
    this.#state = 'finishing';
    await within(graceMs, Promise.allSettled(this.#workers.map((worker) => worker.gracefulShutdown())));
    const late = [...this.#runs.keys()];
    for (const run of late) run.controller.abort(new Error('The service is stopping.'));
    await within(ABORT_PATIENCE_MS, Promise.all(this.#runs.values()));
    this.#state = 'stopped';
    clearInterval(this.#beatTimer);
    const ids = late.map((run) => run.id);
    await rows.releaseJobs(this.#db, this.#workerIds(late), ids).catch((error) => {
      this.#log.error({ err: error }, 'work could not be given back; others take it up when its lease is over');
    });
    await within(ABORT_PATIENCE_MS, this.#pool.end());
  }

  /** Replaced workers count while their last jobs run. */
  #workerIds(runs: readonly JobRun[]): string[] {
    return [...new Set([...this.#workers.map(({ id }) => id), ...runs.map(({ owner }) => owner)])];
  }

  #work(queue: QueueName, context: RunContext): void {
    const events = new EventEmitter();
    const options = {
      concurrency: this.#options.concurrency[queue],
      noHandleSignals: true,
      pollInterval: POLL_INTERVAL_MS,
      logger: graphileLogger(this.#log),
      events,
      // Without batches, a completion that fails would be a rejection that nobody handles, which ends the process.
      preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    };
    const kinds = kindNames.filter((kind) => jobKinds[kind].queue === queue);
    const tasks = kinds.map((kind) => [kind, (_: unknown, { job }: { job: Job }) => this.#run(kind, job, context)]);
    const worker = runTaskList(options, Object.fromEntries(tasks), this.#pool);
    this.#workers.push(worker);
    // A claimed job may be lost together with the connection. A new worker releases the jobs of the old one.
    events.once('worker:getJob:error', () => {
      setImmediate(() => void worker.gracefulShutdown('The database was gone.'));
    });
    // It also shuts down where the connection breaks while it records the end of a job, and may then wait for ever.
    events.once('pool:gracefulShutdown', ({ message }) => {
      if (this.#state !== 'working') return;
      this.#log.warn({ queue, reason: message }, 'a job queue has stopped; starting it again');
      this.#workers = this.#workers.filter((other) => other !== worker);
      setTimeout(() => {
        if (this.#state === 'working') this.#work(queue, context);
      }, RESTART_DELAY_MS).unref();
    });
    worker.promise.catch((error) => this.#log.debug({ err: error, queue }, 'a job queue has ended'));
  }

  /** Renews the lease of this process, takes over jobs of processes without one, and aborts cancelled runs. */
  async #beat(): Promise<void> {
    try {
      const runs = [...this.#runs.keys()];
      const living = this.#workerIds(runs);
      await rows.renewWorkers(this.#db, living, this.#leaseMs * EXPIRY);
      const computes = this.#options.concurrency.compute > 0;
      this.#worksAlone = computes && !(await rows.hasOtherWorkers(this.#db, living));
      if (this.#lookingForDead) return;
      this.#lookingForDead = true;
      const dead = await rows.releaseDeadWorkers(this.#db, living, this.#leaseMs * EXPIRY);
      if (dead.length > 0) this.#log.warn({ workers: dead }, 'taking up work that was left unfinished');
      for (const { key } of await rows.findCancelled(this.#db, runs)) abortRuns(runs, key);
    } catch (error) {
      this.#log.error({ err: error }, 'the lease of this process could not be renewed');
    } finally {
      this.#lookingForDead = false;
    }
  }

  /** Rejects where the job is another worker's by now: graphile-worker would delete it otherwise. */
  async #run(kind: JobKind, job: Job, context: RunContext): Promise<void> {
    const payload = job.payload as JobPayloads[JobKind] & rows.EarlierAttempts;
    const run: JobRun = {
      id: job.id,
      kind,
      key: job.key ?? '',
      payload,
      attempt: job.attempts + (payload.failures ?? 0),
      // After more than one attempt at this job, a process has ended during the last.
      lastError: job.attempts > 1 ? null : (payload.lastError ?? null),
      priority: job.priority,
      owner: job.locked_by ?? '',
      controller: new AbortController(),
    };
    const ended = runJob(run, context);
    this.#runs.set(run, ended);
    const how = await ended;
    this.#runs.delete(run);
    // `stop` gives the job back. graphile-worker must not record an end: its connection is closed.
    if (how === 'given back' || this.#state === 'stopped') await new Promise(() => {});
    if (how === 'lost') throw new LeaseLostError(job.id);
  }
}

function graphileLogger(log: Logger): GraphileLogger {
  return new GraphileLogger(() => (level, message) => {
    // What happens to each job is logged here already.
    if (level === 'warning') log.warn(message);
    else log.debug(message);
  });
}
