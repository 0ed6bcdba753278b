/** What each kind of job carries. Ids only: the handler reads the truth from the database when it runs. */
export interface JobPayloads {
  train: { readonly modelId: string };
  refine: { readonly modelId: string };
  /** `stationId`: the station that waits for the result. */
  predict: { readonly itemId: string; readonly modelId: string; readonly stationId?: string };
  deliver: { readonly deliveryId: string };
  sweep: Record<string, never>;
  retain: Record<string, never>;
}

export type JobKind = keyof JobPayloads;

/** Jobs of one queue share one limit of how many run at a time. */
export type QueueName = 'compute' | 'training' | 'io';

export const queueNames: readonly QueueName[] = ['compute', 'training', 'io'];

export interface JobKindSpec {
  readonly queue: QueueName;
  readonly maxAttempts: number;
  /** Pause after the first failed attempt; each later pause is `factor` times as long, up to `maxSeconds`. */
  readonly backoff: { readonly firstSeconds: number; readonly factor: number; readonly maxSeconds: number };
}

const training: JobKindSpec = {
  queue: 'training',
  maxAttempts: 3,
  backoff: { firstSeconds: 2, factor: 5, maxSeconds: 60 },
};

export const jobKinds: Readonly<Record<JobKind, JobKindSpec>> = {
  train: training,
  refine: training,
  predict: { queue: 'compute', maxAttempts: 5, backoff: { firstSeconds: 0.5, factor: 4, maxSeconds: 60 } },
  // The seven pauses add up to 22.8 hours.
  deliver: { queue: 'io', maxAttempts: 8, backoff: { firstSeconds: 15, factor: 4, maxSeconds: 86_400 } },
  // A process that is killed in the middle counts as a try.
  retain: { queue: 'io', maxAttempts: 10, backoff: { firstSeconds: 15, factor: 2, maxSeconds: 600 } },
  sweep: { queue: 'io', maxAttempts: 3, backoff: { firstSeconds: 60, factor: 2, maxSeconds: 600 } },
};

export const kindNames = Object.keys(jobKinds) as JobKind[];

/** Milliseconds to wait after the given number of failed attempts (1 or more). */
export function backoffMs(kind: JobKind, attempts: number): number {
  const { firstSeconds, factor, maxSeconds } = jobKinds[kind].backoff;
  return 1000 * Math.min(maxSeconds, firstSeconds * factor ** (attempts - 1));
}
