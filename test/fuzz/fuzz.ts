import { createRandom } from '../../src/vision/math/random.ts';
import { type FuzzTarget, refusals } from './fuzz-target.ts';

/** One input may take this long; more means that a small file can stop the service. */
const patienceMs = 1000;
const mostDefects = 5;

export interface FuzzReport {
  readonly inputs: number;
  readonly accepted: number;
  readonly slowestMs: number;
  /** Seeds of the inputs that broke it, with how. */
  readonly defects: readonly string[];
}

/**
 * Feeds a target `count` inputs; each has a seed of its own, with which it can be made again. `onInput` is told the seed
 * before it is fed.
 */
export async function fuzz(
  { name, feed }: FuzzTarget,
  count: number,
  firstSeed: number,
  onInput: (seed: number) => void = () => {},
): Promise<FuzzReport> {
  const defects: string[] = [];
  let accepted = 0;
  let slowestMs = 0;
  let seed = firstSeed;
  for (; seed < firstSeed + count && defects.length < mostDefects; seed++) {
    onInput(seed);
    const started = performance.now();
    try {
      const result = feed(createRandom(seed));
      if (result instanceof Promise) await result;
      accepted++;
    } catch (error) {
      if (!refusals.some((kind) => error instanceof kind)) defects.push(`${name}, seed ${seed}: ${String(error)}`);
    }
    const took = performance.now() - started;
    slowestMs = Math.max(slowestMs, took);
    // A busy machine pauses anyone: only what is slow twice is slow.
    if (took > patienceMs && (await timeOf(feed, seed)) > patienceMs)
      defects.push(`${name}, seed ${seed}: took ${Math.round(took)} ms`);
  }
  return { inputs: seed - firstSeed, accepted, slowestMs, defects };
}

async function timeOf(feed: FuzzTarget['feed'], seed: number): Promise<number> {
  const started = performance.now();
  await (async () => feed(createRandom(seed)))().catch(() => undefined);
  return performance.now() - started;
}
