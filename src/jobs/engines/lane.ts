import type { JobLane } from '../job-kinds.ts';
import { byUrgency, type Claim, type JobRow } from './job-rows.ts';

export interface JobRun {
  readonly row: JobRow;
  readonly controller: AbortController;
  /** Settles when the run is over and recorded; never rejects. */
  done: Promise<void>;
}

/** Of jobs that somebody waits for, as nearly all are. */
const MOST_URGENT = 0;

export type LaneClaim = Pick<Claim, 'limit' | 'before'>;

/** What of one lane this process runs, and holds ready to run. */
export class Lane {
  readonly name: JobLane;
  readonly concurrency: number;
  readonly running = new Set<JobRun>();
  readonly ready: JobRow[] = [];
  /** The last claim of any jobs found fewer than it asked for, and nobody has woken the lane since. */
  #drained = false;
  /** Jobs may have come that are more urgent than some of those that are ready. */
  #urgentMayWait = false;
  // Claiming ahead spares a commit per job. Training is too long to hold jobs back from another process.
  readonly #ahead: number;

  constructor(name: JobLane, concurrency: number) {
    this.name = name;
    this.concurrency = concurrency;
    this.#ahead = name === 'training' ? 0 : 2 * concurrency;
  }

  /** Jobs may have come, or a claim has failed. */
  wake(): void {
    this.#drained = false;
    this.#urgentMayWait = true;
  }

  /**
   * What to claim now. Where enough is ready, those alone that are more urgent than the last of it: what somebody waits
   * for does not wait for others because these were claimed ahead.
   */
  get wanted(): LaneClaim | undefined {
    if (!this.#drained && this.#hasRoom(this.ready.length)) return this.#upTo(this.ready.length);
    const before = this.ready.at(-1)?.priority ?? MOST_URGENT;
    if (!this.#urgentMayWait || before <= MOST_URGENT) return undefined;
    const asUrgent = this.ready.filter(({ priority }) => priority < before).length;
    return this.#hasRoom(asUrgent) ? this.#upTo(asUrgent, before) : undefined;
  }

  /** Before the claim is made: a wake-up that comes meanwhile must not be lost. */
  begin({ before }: LaneClaim): void {
    this.#urgentMayWait = false;
    if (before === undefined) this.#drained = true;
  }

  /** The claim found as many as it asked for: there may be more. */
  noteMore({ before }: LaneClaim): void {
    if (before === undefined) this.#drained = false;
    else this.#urgentMayWait = true;
  }

  hold(rows: readonly JobRow[]): void {
    this.ready.push(...rows);
    this.ready.sort(byUrgency);
  }

  #hasRoom(held: number): boolean {
    return held * 2 <= this.#ahead;
  }

  #upTo(held: number, before?: number): LaneClaim | undefined {
    const limit = this.concurrency - this.running.size + this.#ahead - held;
    return limit > 0 ? { limit, before } : undefined;
  }

  /** A job to run now, if there is room for it. */
  next(): JobRow | undefined {
    return this.running.size < this.concurrency ? this.ready.shift() : undefined;
  }
}
