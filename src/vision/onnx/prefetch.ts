/** Images that are decoded, or that go through the network, while an earlier one is in work. */
export const AHEAD = 3;

/**
 * The results of `work` for each value, in the order of the values, with the next `ahead` already under way. Values are
 * taken lazily: a list of tens of thousands of promises would take memory.
 */
export async function* prefetch<Value, Result>(
  values: Iterable<Value> | AsyncIterable<Value>,
  work: (value: Value) => Promise<Result>,
  ahead = AHEAD,
): AsyncGenerator<Result> {
  const running: Promise<Result>[] = [];
  for await (const value of values) {
    const result = work(value);
    // A failure is thrown in its turn; until then it must not count as an unhandled rejection.
    result.catch(() => {});
    running.push(result);
    if (running.length > ahead) yield (await running.shift()) as Result;
  }
  for (const result of running) yield await result;
}
