import { createRandom } from '../../src/vision/math/random.ts';
import { type FuzzTarget, refusals } from './targets.ts';

/** One input may take this long; more means that a small file can stop the service. */
const patienceMs = 1000;

export interface FuzzReport {
  readonly inputs: number;
  readonly accepted: number;
  readonly slowestMs: number;
  /** Seeds of the inputs that broke it, with how. */
  readonly defects: readonly string[];
}

/** Feeds a target `count` inputs; each has a seed of its own, with which it can be made again. */
export async function fuzz({ name, feed }: FuzzTarget, count: number, firstSeed: number): Promise<FuzzReport> {
  const defects: string[] = [];
  let accepted = 0;
  let slowestMs = 0;
  for (let seed = firstSeed; seed < firstSeed + count && defects.length < 5; seed++) {
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
    if (took > patienceMs) {
      // A busy machine pauses anyone: only what is slow twice is slow.
      const again = performance.now();
      await Promise.resolve(feed(createRandom(seed))).catch(() => undefined);
      if (performance.now() - again > patienceMs) defects.push(`${name}, seed ${seed}: took ${Math.round(took)} ms`);
    }
  }
  return { inputs: count, accepted, slowestMs, defects };
}
