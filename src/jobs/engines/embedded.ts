import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Db, Trx } from '../../storage/database.ts';
import { unsyncedTransaction } from '../../storage/unsynced-transaction.ts';
import { type AnyJobHandler, collectHandlers, type ErasedJobHandler, LeaseLostError } from '../job-handlers.ts';
import { type JobKind, type JobLane, jobKinds, jobLanes } from '../job-kinds.ts';
import type { JobCounts, JobQueue, NewJob } from '../job-queue.ts';
import { applyEndings, applyEndingsApart, type Ending } from './endings.ts';
import {
  cancelJobs,
  claimJobs,
  countJobs,
  findNextDue,
  hasOpenJob,
  insertJobs,
  type JobRow,
  pruneFailedJobs,
  releaseJobs,
  releaseOrphans,
  renewLeases,
} from './job-rows.ts';
import { type JobRun, Lane } from './lane.ts';
import { type Bookkeeping, runJob } from './run-job.ts';

export interface EmbeddedQueueOptions {
  readonly db: Db;
  readonly log: Logger;
  /** How many jobs of each lane run at a time. */
  readonly concurrency: Readonly<Record<JobLane, number>>;
  /** Milliseconds since 1970; the machine's clock where absent. */
  readonly now?: () => number;
}

const LEASE_MS = 1000 * Math.max(...Object.values(jobKinds).map((spec) => spec.leaseSeconds));
const DATABASE_RETRY_MS = 1000;
/** So that a clock that is set back delays nothing by more than this. */
const LONGEST_SLEEP_MS = 60_000;
/** A caller that forgets to wake the queue after its commit loses this much time, and no job. */
const FORGOTTEN_WAKE_MS = 1000;
const ABORT_PATIENCE_MS = 500;

/** A queue in a table of the service's own database, for one process. Wakes up by call, never polls. */
export class EmbeddedQueue implements JobQueue {
  readonly #db: Db;
  readonly #log: Logger;
  readonly #now: () => number;
  readonly #owner = randomUUID();
  readonly #lanes: readonly Lane[];
  readonly #endings: Ending[] = [];
  #handlers: ReadonlyMap<JobKind, ErasedJobHandler> = new Map();
  #state: 'idle' | 'working' | 'finishing' | 'stopped' = 'idle';
  #turn: Promise<void> | undefined;
  #turnWanted = false;
  #dueUnknown = false;
  /** Jobs whose time had come by then are claimed as soon as there is room for them. */
  #wokenAt = 0;
  #dueTimer: NodeJS.Timeout | undefined;
  #leaseTimer: NodeJS.Timeout | undefined;
  #forgottenTimer: NodeJS.Timeout | undefined;

  readonly #bookkeeping: Bookkeeping;

  constructor(options: EmbeddedQueueOptions) {
    this.#db = options.db;
    this.#log = options.log;
    this.#now = options.now ?? Date.now;
    this.#lanes = jobLanes.map((name) => new Lane(name, options.concurrency[name]));
    this.#bookkeeping = {
      db: this.#db,
      log: this.#log,
      owner: this.#owner,
      now: this.#now,
      end: (id, write) => this.#end(id, write),
      isStopped: () => this.#state === 'stopped',
      isGivenBack: (run) => this.#state === 'stopped' || (this.#state === 'finishing' && run.controller.signal.aborted),
      noteRetry: () => {
        this.#dueUnknown = true;
      },
    };
  }

  async enqueue(db: Db, job: NewJob): Promise<void> {
    await this.enqueueMany(db, [job]);
  }

  async enqueueMany(db: Db, jobs: readonly NewJob[]): Promise<void> {
    const insert = (trx: Db) => insertJobs(trx, jobs, this.#now());
    if (db.isTransaction) {
      this.#forgottenTimer ??= setTimeout(() => this.wake(), FORGOTTEN_WAKE_MS).unref();
      return insert(db);
    }
    await db.transaction().execute(insert);
    this.wake();
  }

  async cancelByKey(db: Db, key: string): Promise<void> {
    if (db.isTransaction) await cancelJobs(db, key);
    else await db.transaction().execute((trx) => cancelJobs(trx, key));
  }

  abort(key: string): void {
    for (const run of this.#runs()) {
      if (run.row.key === key) run.controller.abort(new Error(`The work of ${key} was cancelled.`));
    }
  }

  async start(handlers: readonly AnyJobHandler[]): Promise<void> {
    this.#handlers = collectHandlers(handlers);
    const orphans = await this.#db.transaction().execute(releaseOrphans);
    if (orphans > 0) this.#log.warn({ jobs: orphans }, 'taking up work that an earlier process left unfinished');
    this.#state = 'working';
    this.#leaseTimer = setInterval(() => void this.#renew(), LEASE_MS / 3).unref();
    this.wake();
  }

  wake(kind?: JobKind): void {
    const name = kind && jobKinds[kind].lane;
    for (const lane of this.#lanes) if (name === undefined || lane.name === name) lane.wake();
    if (name === undefined) {
      clearTimeout(this.#forgottenTimer);
      this.#forgottenTimer = undefined;
      this.#wokenAt = this.#now();
    }
    this.#wantTurn();
  }

  hasOpen(db: Db, keys: readonly string[]): Promise<boolean> {
    return hasOpenJob(db, keys);
  }

  counts(): Promise<Readonly<Record<JobKind, JobCounts>>> {
    return countJobs(this.#db);
  }

  pruneFailed(before: Date): Promise<number> {
    return pruneFailedJobs(this.#db, before.getTime());
  }

  async stop({ graceMs }: { readonly graceMs: number }): Promise<void> {
    if (this.#state !== 'working') return;
    this.#state = 'finishing';
    clearTimeout(this.#dueTimer);
    clearTimeout(this.#forgottenTimer);
    await this.#turn;
    await this.#release(this.#lanes.flatMap((lane) => lane.ready.splice(0)));
    await this.#settled(graceMs);
    const late = [...this.#runs()];
    for (const run of late) run.controller.abort(new Error('The service is stopping.'));
    await this.#settled(ABORT_PATIENCE_MS);
    this.#state = 'stopped';
    clearInterval(this.#leaseTimer);
    await this.#turn;
    await this.#release(late.map((run) => run.row));
  }

  #runs(): JobRun[] {
    return this.#lanes.flatMap((lane) => [...lane.running]);
  }

  async #settled(withinMs: number): Promise<void> {
    const timeout = new AbortController();
    const all = Promise.all(this.#runs().map((run) => run.done));
    await Promise.race([all, pause(withinMs, undefined, { signal: timeout.signal }).catch(() => undefined)]);
    timeout.abort();
  }

  async #release(rows: readonly JobRow[]): Promise<void> {
    const ids = rows.map((row) => row.id);
    await this.#db.transaction().execute((trx) => releaseJobs(trx, ids, this.#owner));
  }

  async #renew(): Promise<void> {
    if (this.#runs().length === 0) return;
    const renewal = renewLeases(this.#db, this.#owner, this.#now() + LEASE_MS);
    await renewal.catch((error) => this.#log.error({ err: error }, 'job leases could not be renewed'));
  }

  #wantTurn(): void {
    if (this.#state !== 'working' && this.#state !== 'finishing') return;
    this.#turnWanted = true;
    this.#turn ??= this.#takeTurns();
  }

  /** One turn records what has ended and claims what there is room for, in one commit. */
  async #takeTurns(): Promise<void> {
    while (this.#turnWanted) {
      // Whatever ends in this pass of the event loop shares the commit.
      await new Promise((resolve) => setImmediate(resolve));
      this.#turnWanted = false;
      const endings = this.#endings.splice(0);
      const lanes = this.#state === 'working' ? this.#lanes.filter((lane) => lane.wanted) : [];
      if (lanes.length > 0) this.#dueUnknown = true;
      if (endings.length + lanes.length > 0) await this.#commit(endings, lanes);
      this.#startReady();
    }
    this.#turn = undefined;
    if (this.#dueUnknown) await this.#armDueTimer();
  }

  async #commit(endings: readonly Ending[], lanes: readonly Lane[]): Promise<void> {
    try {
      const record = async (trx: Trx): Promise<JobRow[][]> => {
        await applyEndings(trx, endings, this.#owner);
        const rows: JobRow[][] = [];
        for (const lane of lanes) rows.push(await this.#claim(trx, lane));
        return rows;
      };
      // A start after a power cut gives claims back, whether it finds them or not.
      const claimed = await (endings.length > 0
        ? this.#db.transaction().execute(record)
        : unsyncedTransaction(this.#db, record));
      lanes.forEach((lane, index) => {
        lane.hold(claimed[index] ?? []);
      });
      for (const ending of endings) ending.resolve();
    } catch (error) {
      for (const lane of lanes) lane.wake();
      await applyEndingsApart(this.#db, endings, this.#owner);
      if (endings.length > 0) return this.#wantTurn();
      this.#log.error({ err: error }, 'the job queue cannot use the database; trying again');
      this.#wakeIn(DATABASE_RETRY_MS);
    }
  }

  async #claim(trx: Trx, lane: Lane): Promise<JobRow[]> {
    const wanted = lane.wanted;
    if (!wanted) return [];
    lane.begin(wanted);
    const claim = { ...wanted, lane: lane.name, owner: this.#owner, leaseMs: LEASE_MS };
    const rows = await claimJobs(trx, claim, this.#now());
    if (rows.length === wanted.limit) lane.noteMore(wanted);
    return rows;
  }

  #startReady(): void {
    if (this.#state !== 'working') return;
    for (const lane of this.#lanes) {
      for (let row = lane.next(); row; row = lane.next()) {
        const run: JobRun = { row, controller: new AbortController(), done: Promise.resolve() };
        lane.running.add(run);
        run.done = runJob(run, this.#handlers.get(row.kind as JobKind), this.#bookkeeping).finally(() => {
          lane.running.delete(run);
          this.#startReady();
          this.#wantTurn();
        });
      }
    }
  }

  #end(id: number, write?: (trx: Trx) => Promise<void>): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#state === 'stopped') return reject(new LeaseLostError('The queue has stopped.'));
      this.#endings.push({ id, write, resolve, reject });
      this.#wantTurn();
    });
  }

  #wakeIn(ms: number): void {
    clearTimeout(this.#dueTimer);
    this.#dueTimer = setTimeout(() => this.wake(), Math.min(ms, LONGEST_SLEEP_MS)).unref();
  }

  async #armDueTimer(): Promise<void> {
    if (this.#state !== 'working') return;
    this.#dueUnknown = false;
    try {
      // Not from now on: a pause may be over before anyone looks. Nor from a time that the clock was set back from.
      const due = await findNextDue(this.#db, Math.min(this.#wokenAt, this.#now()));
      if (this.#state !== 'working') return;
      if (due !== undefined) this.#wakeIn(due - this.#now());
    } catch (error) {
      this.#log.error({ err: error }, 'the job queue cannot use the database; trying again');
      this.#wakeIn(DATABASE_RETRY_MS);
    }
  }
}
