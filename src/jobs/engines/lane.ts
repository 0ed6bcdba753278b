import type { JobLane } from '../job-kinds.ts';
import type { JobRow } from './job-rows.ts';

export interface JobRun {
  readonly row: JobRow;
  readonly controller: AbortController;
  /** Settles when the run is over and recorded; never rejects. */
  done: Promise<void>;
}

/** What of one lane this process runs, and holds ready to run. */
export class Lane {
  readonly name: JobLane;
  readonly concurrency: number;
  readonly running = new Set<JobRun>();
  readonly ready: JobRow[] = [];
  /** The last claim found fewer jobs than it asked for, and nobody has woken the lane since. */
  drained = false;
  // Claiming ahead spares a commit per job. Training is too long to hold jobs back from another process.
  readonly #ahead: number;

  constructor(name: JobLane, concurrency: number) {
    this.name = name;
    this.concurrency = concurrency;
    this.#ahead = name === 'training' ? 0 : 2 * concurrency;
  }

  /** How many jobs to claim now. */
  get wanted(): number {
    if (this.drained || this.ready.length * 2 > this.#ahead) return 0;
    return Math.max(0, this.concurrency - this.running.size + this.#ahead - this.ready.length);
  }

  /** A job to run now, if there is room for it. */
  next(): JobRow | undefined {
    return this.running.size < this.concurrency ? this.ready.shift() : undefined;
  }
}
