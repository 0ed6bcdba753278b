/**
 * What is measured, by name, in turns, so that a busy moment of the machine weighs on all of them; `inARow` times each at a
 * turn, where it is to find in the processor's caches what it left there. @returns milliseconds
 */
export async function measureTurns<Name extends string>(
  work: Readonly<Record<Name, () => Promise<unknown>>>,
  { warmUp, runs, inARow = 1 }: { warmUp: number; runs: number; inARow?: number },
): Promise<Record<Name, number[]>> {
  const names = Object.keys(work) as Name[];
  const times = Object.fromEntries(names.map((name): [Name, number[]] => [name, []])) as Record<Name, number[]>;
  for (let run = -warmUp; run < runs; run++)
    for (const name of names.flatMap((name) => new Array<Name>(inARow).fill(name))) {
      const started = performance.now();
      await work[name]();
      if (run >= 0) times[name].push(performance.now() - started);
    }
  return times;
}
