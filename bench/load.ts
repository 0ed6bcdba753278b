// Puts load on a service of its own on loopback: npm run bench:load [-- seconds [sqlite | postgres]]. Uploads with
// predictions, verdicts of people and reads at the same time. Limits: no error but 425, p99 of reads under 50 ms, flat memory.
import { readFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { KensaError } from '../src/client/kensa-client.ts';
import { openPlant } from '../test/faults/plant.ts';
import { openRig } from '../test/faults/rig.ts';
import { backends } from '../test/support/backends.ts';
import type { SpawnedService } from '../test/support/spawn-service.ts';

const seconds = Math.min(1800, Number(process.argv[2] ?? 600));
const limits = { readMs: 50, growth: 1.15 };
const readPauseMs = 20;

const rig = await openRig(backends.find((backend) => backend === process.argv[3]) ?? 'sqlite');
try {
  process.exitCode = (await measure(rig.service)) ? 0 : 1;
} finally {
  await rig.stop();
}

async function measure(running: SpawnedService): Promise<boolean> {
  const { client, url } = running;
  const plant = await openPlant(running);
  const until = performance.now() + seconds * 1000;
  const reads: number[] = [];
  const memory: number[] = [];
  const errors = new Map<string, number>();
  let uploads = 0;
  let busy = 0;

  const note = (error: unknown): void => {
    if (error instanceof KensaError && error.status === 425) busy++;
    else errors.set(String(error), (errors.get(String(error)) ?? 0) + 1);
  };
  const repeat = async (turn: (number: number) => Promise<void>): Promise<void> => {
    for (let number = 0; performance.now() < until; number++) {
      await turn(number).catch(async (error: unknown) => {
        note(error);
        await pause(200);
      });
    }
  };
  const timed = async (work: () => Promise<unknown>): Promise<void> => {
    const started = performance.now();
    await work();
    reads.push(performance.now() - started);
    await pause(readPauseMs);
  };
  const camera = (first: number) =>
    repeat(async (number) => {
      const image = plant.images[(first + number) % plant.images.length];
      if (!image) return;
      const [id] = await client.uploadItems([image], { training: 'false', model_id: 'active' });
      uploads++;
      if (number % 5 === 0) await client.request('PATCH', `/api/v1/items/${id}`, { good: number % 2 === 0 });
    });
  const viewer = repeat(async (number) => {
    const list = '/api/v1/items/?item_type=prediction&count=50';
    let first: { item_id: string; images: { url: string }[] } | undefined;
    await timed(async () => {
      first = (await client.request<{ items: (typeof first)[] }>('GET', `${list}&page=${1 + (number % 3)}`)).items[0];
    });
    if (!first) return;
    const { item_id, images } = first;
    await timed(() => client.request('GET', `/api/v1/items/${item_id}`));
    await timed(async () => (await fetch(`${url}${images[0]?.url}`)).arrayBuffer());
    await timed(() => client.request('GET', '/api/v1/models/'));
  });
  const watch = (async () => {
    for (; performance.now() < until; await pause(1000)) memory.push(residentMiB(running.process.pid ?? 0));
  })();
  await Promise.all([camera(0), camera(3), viewer, watch]);
  return report({ reads, memory, errors, uploads, busy });
}

function residentMiB(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
}

/** MiB an hour, by least squares over one figure a second. */
function slope(values: readonly number[]): number {
  const middle = (values.length - 1) / 2;
  const level = mean(values);
  let [over, under] = [0, 0];
  for (const [second, value] of values.entries()) {
    over += (second - middle) * (value - level);
    under += (second - middle) ** 2;
  }
  return under === 0 ? 0 : (over / under) * 3600;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function report(run: {
  reads: number[];
  memory: number[];
  errors: Map<string, number>;
  uploads: number;
  busy: number;
}): boolean {
  const sorted = run.reads.sort((one, other) => one - other);
  const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? 0;
  // The first fifth is start: caches fill and code is compiled.
  const part = Math.max(1, Math.floor(run.memory.length / 5));
  const early = mean(run.memory.slice(part, 2 * part));
  const late = mean(run.memory.slice(-part));
  const curve = Array.from({ length: 10 }, (_, tenth) =>
    mean(
      run.memory.slice(Math.floor((tenth * run.memory.length) / 10), Math.ceil(((tenth + 1) * run.memory.length) / 10)),
    ),
  );
  const checks: [boolean, string][] = [
    [
      run.errors.size === 0,
      `errors but 425: ${[...run.errors].map(([text, count]) => `${count} × ${text}`).join('; ') || 'none'} (425: ${run.busy})`,
    ],
    [
      at(0.99) <= limits.readMs,
      `reads: ${sorted.length}, p50 ${at(0.5).toFixed(1)} ms, p99 ${at(0.99).toFixed(1)} ms (limit ${limits.readMs})`,
    ],
    [
      late <= early * limits.growth,
      `memory of the server: ${early.toFixed(0)} MiB early, ${late.toFixed(0)} MiB late (limit × ${limits.growth}), ${slope(run.memory.slice(-3 * part)).toFixed(0)} MiB an hour over the last three fifths; by tenths ${curve.map((value) => value.toFixed(0)).join(' ')}`,
    ],
  ];
  console.log(
    `${seconds} s, ${run.uploads} uploads with prediction; ${loadavg()[0]?.toFixed(1)} processes on ${availableParallelism()} cores`,
  );
  for (const [good, text] of checks) console.log(`  ${good ? 'ok  ' : 'OVER'} ${text}`);
  return checks.every(([good]) => good);
}
