/** What each kind of job carries. Ids only: the handler reads the truth from the database when it runs. */
export interface JobPayloads {
  train: { readonly modelId: string };
  predict: { readonly itemId: string; readonly modelId: string };
  deliver: { readonly deliveryId: string };
  sweep: Record<string, never>;
}

export type JobKind = keyof JobPayloads;

/** Jobs of one lane share one limit of how many run at a time. */
export type JobLane = 'compute' | 'training' | 'io';

export interface Backoff {
  readonly firstSeconds: number;
  readonly factor: number;
  readonly maxSeconds: number;
}

export interface JobKindSpec {
  readonly lane: JobLane;
  readonly maxAttempts: number;
  readonly backoff: Backoff;
  /** How long a job of a process that vanished stays with it before another process may take it. */
  readonly leaseSeconds: number;
}

export const jobKinds: Readonly<Record<JobKind, JobKindSpec>> = {
  train: {
    lane: 'training',
    maxAttempts: 3,
    backoff: { firstSeconds: 2, factor: 5, maxSeconds: 60 },
    leaseSeconds: 60,
  },
  predict: {
    lane: 'compute',
    maxAttempts: 5,
    backoff: { firstSeconds: 0.5, factor: 4, maxSeconds: 60 },
    leaseSeconds: 60,
  },
  // The seven pauses add up to 22.8 hours.
  deliver: {
    lane: 'io',
    maxAttempts: 8,
    backoff: { firstSeconds: 15, factor: 4, maxSeconds: 86_400 },
    leaseSeconds: 60,
  },
  sweep: {
    lane: 'io',
    maxAttempts: 3,
    backoff: { firstSeconds: 60, factor: 2, maxSeconds: 600 },
    leaseSeconds: 60,
  },
};

export const jobLanes: readonly JobLane[] = ['compute', 'training', 'io'];

export function isJobKind(kind: string): kind is JobKind {
  return Object.hasOwn(jobKinds, kind);
}

/** Milliseconds to wait after the given number of failed attempts (1 or more). */
export function backoffMs(kind: JobKind, attempts: number): number {
  const { firstSeconds, factor, maxSeconds } = jobKinds[kind].backoff;
  return 1000 * Math.min(maxSeconds, firstSeconds * factor ** (attempts - 1));
}

/** No retry of any kind waits longer; one that seems to was dated by a clock that has been set back since. */
export const longestBackoffMs = 1000 * Math.max(...Object.values(jobKinds).map((spec) => spec.backoff.maxSeconds));
