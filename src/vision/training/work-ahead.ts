import type { PreparedImage, TrainingSample } from '../types.ts';

/** Images that are worked on while an earlier one is dealt with: decoded, or brought through the network. */
export const AHEAD = 3;

/** What the pieces of work give, in their order; the next few are already under way. */
export async function* workAhead<Result>(
  works: Iterable<() => Promise<Result>> | AsyncIterable<() => Promise<Result>>,
  ahead = AHEAD,
): AsyncGenerator<Result> {
  const waiting: Promise<Result>[] = [];
  for await (const work of works) {
    const working = work();
    // A failure is thrown when it is its turn; until then it must not count as unhandled.
    working.catch(() => {});
    waiting.push(working);
    if (waiting.length > ahead) yield (await waiting.shift()) as Result;
  }
  for (const working of waiting) yield await working;
}

/** A piece of work for each value, put together when its turn comes: of tens of thousands, each would take memory. */
export function* worksOn<Value, Result>(
  values: Iterable<Value>,
  work: (value: Value) => Promise<Result>,
): Generator<() => Promise<Result>> {
  for (const value of values) yield () => work(value);
}

/** The samples' images in their order, the next few already being decoded. */
export const loadAhead = (samples: readonly TrainingSample[]): AsyncGenerator<PreparedImage> =>
  workAhead(worksOn(samples, (sample) => sample.load()));
