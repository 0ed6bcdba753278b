// `npm run fuzz [-- inputs [seed [target]]]`: feeds each parser that many mutated inputs (a million where not given).
// Each runs in a process of its own, so that one that crashes or hangs is named with the input that did it.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type FuzzReport, fuzz } from '../test/fuzz/fuzz.ts';
import { fuzzTargets } from '../test/fuzz/targets.ts';

const [inputs = '1000000', seed = '1', only, seedFile] = process.argv.slice(2);
const hangMs = 60_000;

/** Both ends of the pipe. */
type Answer = FuzzReport & { readonly seconds: number };

async function feedHere(target: (typeof fuzzTargets)[number], file: string): Promise<void> {
  // A refusal is thrown a million times.
  Error.stackTraceLimit = 0;
  const handle = openSync(file, 'w');
  const started = performance.now();
  const report = await fuzz(target, Number(inputs), Number(seed), (current) => {
    writeSync(handle, String(current), 0);
  });
  process.send?.({ ...report, seconds: (performance.now() - started) / 1000 } satisfies Answer);
  process.disconnect();
}

async function feedApart(name: string, folder: string): Promise<boolean> {
  const file = join(folder, String(fuzzTargets.findIndex((target) => target.name === name)));
  const child = fork(fileURLToPath(import.meta.url), [inputs, seed, name, file]);
  let answer: Answer | undefined;
  child.on('message', (message) => {
    answer = message as Answer;
  });
  const lastSeed = (): string => {
    try {
      return readFileSync(file, 'utf8');
    } catch {
      return 'none';
    }
  };
  let before = '';
  const watch = setInterval(() => {
    if (before === lastSeed()) child.kill('SIGKILL');
    before = lastSeed();
  }, hangMs);
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
  clearInterval(watch);
  if (!answer) {
    console.log(`${name}: ended with ${signal ?? code} at seed ${lastSeed()}`);
    return false;
  }
  const { seconds, accepted, slowestMs, defects } = answer;
  console.log(
    `${name}: ${answer.inputs} inputs in ${seconds.toFixed(0)} s, ${accepted} accepted, slowest ${slowestMs.toFixed(0)} ms, ${defects.length} defects`,
  );
  for (const defect of defects) console.log(`  ${defect}`);
  return defects.length === 0;
}

if (seedFile !== undefined) {
  const target = fuzzTargets.find(({ name }) => name === only);
  if (target) await feedHere(target, seedFile);
} else {
  const folder = mkdtempSync(join(tmpdir(), 'kensa-fuzz-'));
  const waiting = fuzzTargets.map(({ name }) => name).filter((name) => only === undefined || name === only);
  if (waiting.length === 0)
    throw new Error(`No such target. There are: ${fuzzTargets.map(({ name }) => name).join('; ')}`);
  let good = true;
  const line = async (): Promise<void> => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift())
      good = (await feedApart(name, folder)) && good;
  };
  await Promise.all(Array.from({ length: availableParallelism() }, line));
  rmSync(folder, { recursive: true });
  process.exitCode = good ? 0 : 1;
}
