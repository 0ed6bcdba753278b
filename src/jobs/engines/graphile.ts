import { EventEmitter } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { Logger as GraphileLogger, type Job, runMigrations, runTaskList, type WorkerPool } from 'graphile-worker';
import pg from 'pg';
import type { Logger } from 'pino';
import type { Db } from '../../storage/database.ts';
import { type JobHandlers, LeaseLostError } from '../job-handlers.ts';
import { type JobKind, type JobPayloads, jobKinds, kindNames, type QueueName, queueNames } from '../job-kinds.ts';
import type { JobCountsByKind, JobQueue, NewJob } from '../job-queue.ts';
import * as rows from './graphile-rows.ts';
import { type JobRun, type RunContext, type RunRecords, runJob } from './run-job.ts';

export interface GraphileQueueOptions {
  readonly db: Db;
  readonly databaseUrl: string;
  readonly log: Logger;
  /** How many jobs of each queue this process runs at a time; none of a queue with 0. */
  readonly concurrency: Readonly<Record<QueueName, number>>;
  /** The longest that the jobs of a process that vanished wait for another. */
  readonly leaseMs?: number;
}

/** Milliseconds. Jobs that are due wake the queue up; only those that wait for their time are polled for. */
const POLL_INTERVAL_MS = 500;
const ABORT_PATIENCE_MS = 500;
const RESTART_DELAY_MS = 1000;
const DEFAULT_LEASE_MS = 20_000;
/** Shares of the lease: how long a heartbeat is valid, and the time between two. Their sum must be below one. */
const EXPIRY = 3 / 4;
const BEAT = 1 / 8;

interface GraphileRun extends JobRun {
  readonly workerId: string;
  /** Settles when the end of the run is recorded. */
  done: Promise<unknown>;
}

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
  readonly #options: GraphileQueueOptions;
  readonly #db: Db;
  readonly #log: Logger;
  readonly #pool: pg.Pool;
  readonly #leaseMs: number;
  readonly #runs = new Set<GraphileRun>();
  #workers: WorkerPool[] = [];
  #beatTimer: NodeJS.Timeout | undefined;
  #lookingForDead = false;
  #state: 'idle' | 'working' | 'finishing' | 'stopped' = 'idle';

  constructor(options: GraphileQueueOptions, pool: pg.Pool) {
    this.#options = options;
    this.#db = options.db;
    this.#log = options.log;
    this.#pool = pool;
    this.#leaseMs = options.leaseMs ?? DEFAULT_LEASE_MS;
  }

  enqueue(db: Db, job: NewJob): Promise<void> {
    return rows.addJobs(db, [job]);
  }

  enqueueMany(db: Db, jobs: readonly NewJob[]): Promise<void> {
    return rows.addJobs(db, jobs);
  }

  cancelByKey(db: Db, key: string): Promise<void> {
    return rows.removeJob(db, key);
  }

  /** Other processes find out at their next beat. */
  abort(key: string): void {
    for (const run of this.#runs) if (run.key === key) abortCancelled(run);
  }

  /** PostgreSQL notifies at the commit. */
  wake(): void {}

  counts(): Promise<JobCountsByKind> {
    return rows.countJobs(this.#db);
  }

  hasOpen(db: Db, keys: readonly string[]): Promise<boolean> {
    return rows.hasOpenJob(db, keys);
  }

  pruneFailed(before: Date): Promise<void> {
    return rows.pruneFailedJobs(this.#db, before);
  }

  async start(handlers: JobHandlers): Promise<void> {
    this.#state = 'working';
    for (const queue of queueNames) if (this.#options.concurrency[queue] > 0) this.#work(queue, handlers);
    await this.#beat();
    this.#beatTimer = setInterval(() => void this.#beat(), this.#leaseMs * BEAT).unref();
  }

  async stop({ graceMs }: { readonly graceMs: number }): Promise<void> {
    if (this.#state === 'idle') await this.#pool.end();
    if (this.#state !== 'working') return;
    this.#state = 'finishing';
    await within(graceMs, Promise.allSettled(this.#workers.map((worker) => worker.gracefulShutdown())));
    const late = [...this.#runs];
    for (const run of late) run.controller.abort(new Error('The service is stopping.'));
    await within(ABORT_PATIENCE_MS, Promise.all(late.map((run) => run.done)));
    this.#state = 'stopped';
    clearInterval(this.#beatTimer);
    const ids = late.map((run) => run.id);
    await rows.releaseJobs(this.#db, this.#workerIds(late), ids).catch((error) => {
      this.#log.error({ err: error }, 'work could not be given back; others take it up when its lease is over');
    });
    await within(ABORT_PATIENCE_MS, this.#pool.end());
  }

  /** Replaced workers count while their last jobs run. */
  #workerIds(runs: Iterable<GraphileRun>): string[] {
    return [...new Set([...this.#workers.map(({ id }) => id), ...[...runs].map(({ workerId }) => workerId)])];
  }

  #work(queue: QueueName, handlers: JobHandlers): void {
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
    const tasks = kinds.map((kind) => [kind, (_: unknown, { job }: { job: Job }) => this.#run(kind, job, handlers)]);
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
        if (this.#state === 'working') this.#work(queue, handlers);
      }, RESTART_DELAY_MS).unref();
    });
    worker.promise.catch((error) => this.#log.debug({ err: error, queue }, 'a job queue has ended'));
  }

  /** Renews the lease of this process, takes over jobs of processes without one, and aborts cancelled runs. */
  async #beat(): Promise<void> {
    try {
      const living = this.#workerIds(this.#runs);
      await rows.renewWorkers(this.#db, living, this.#leaseMs * EXPIRY);
      if (this.#lookingForDead) return;
      this.#lookingForDead = true;
      const dead = await rows.releaseDeadWorkers(this.#db, living, this.#leaseMs * EXPIRY);
      if (dead.length > 0) this.#log.warn({ workers: dead }, 'taking up work that was left unfinished');
      const cancelled = await rows.findCancelled(this.#db, [...this.#runs]);
      for (const run of this.#runs) if (cancelled.has(run.id)) abortCancelled(run);
    } catch (error) {
      this.#log.error({ err: error }, 'the lease of this process could not be renewed');
    } finally {
      this.#lookingForDead = false;
    }
  }

  /** Rejects where the job is another worker's by now: graphile-worker would delete it otherwise. */
  async #run(kind: JobKind, job: Job, handlers: JobHandlers): Promise<void> {
    const payload = job.payload as JobPayloads[JobKind] & rows.EarlierAttempts;
    const workerId = job.locked_by ?? '';
    const run: GraphileRun = {
      id: job.id,
      kind,
      key: job.key ?? '',
      payload,
      attempt: job.attempts + (payload.failures ?? 0),
      // After more than one attempt at this job, a process has ended during the last.
      lastError: job.attempts > 1 ? null : (payload.lastError ?? null),
      priority: job.priority,
      controller: new AbortController(),
      workerId,
      done: Promise.resolve(),
    };
    const ended = runJob(run, this.#contextOf(workerId, handlers));
    run.done = ended;
    this.#runs.add(run);
    const how = await ended;
    this.#runs.delete(run);
    // `stop` gives the job back. graphile-worker must not record an end: its connection is closed.
    if (how === 'given back' || this.#state === 'stopped') await new Promise(() => {});
    if (how === 'lost') throw new LeaseLostError(job.id);
  }

  #contextOf(workerId: string, handlers: JobHandlers): RunContext {
    const refuseLate = ({ id }: JobRun): void => {
      if (this.#state === 'stopped') throw new LeaseLostError(id);
    };
    const records: RunRecords = {
      complete: async (trx, run) => {
        refuseLate(run);
        await rows.completeJob(trx, run, workerId);
      },
      isWanted: (trx, run) => rows.isWanted(trx, run, workerId),
      retry: rows.retryJob,
      bury: (trx, run, error) => rows.buryJob(trx, run, workerId, error),
    };
    return {
      db: this.#db,
      log: this.#log,
      records,
      handlers,
      isGivenBack: ({ controller }) =>
        this.#state === 'stopped' || (this.#state === 'finishing' && controller.signal.aborted),
    };
  }
}

function abortCancelled({ controller, key }: JobRun): void {
  controller.abort(new Error(`The work of ${key} was cancelled.`));
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
