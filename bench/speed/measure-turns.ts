/**
 * Measures pieces of work in turns, so that a busy moment of the machine affects all of them.
 * @returns milliseconds of each piece, by its name
 */
export async function measureTurns<Name extends string>(
  work: Readonly<Record<Name, () => Promise<unknown>>>,
  { warmUp, runs }: { warmUp: number; runs: number },
): Promise<Record<Name, number[]>> {
  const names = Object.keys(work) as Name[];
  const times = Object.fromEntries(names.map((name): [Name, number[]] => [name, []])) as Record<Name, number[]>;
  for (let run = -warmUp; run < runs; run++)
    for (const name of names) {
      const started = performance.now();
      await work[name]();
      if (run >= 0) times[name].push(performance.now() - started);
    }
  return times;
}
