import { readFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { pino } from 'pino';
import sharp from 'sharp';
import { ComputePool } from '../src/jobs/compute/compute-pool.ts';
import type { ModelSource } from '../src/jobs/compute/compute-worker.ts';
import { trainOrder } from '../src/jobs/compute/train-order.ts';
import { parseParameterValues } from '../src/vision/algorithms/contract/parameter-values.ts';
import { patchcore } from '../src/vision/algorithms/patchcore/patchcore.ts';
import { openInspector } from '../src/vision/inspection/open-inspector.ts';
import { loadOwnBackbone, textureImage } from '../test/support/texture-images.ts';

// What the way through a compute process costs beside the same inspection in this process, by turns in one run.

const ROUNDS = 6;
const IMAGES_A_ROUND = 12;
const CLOCK_TICK_MS = 10;
const options = { threshold: 0.5, ignoreOuter: 'none', minDetectedArea: 0, heatmap: true };

// The compute process lowers its own priority: alike here, so that other load weighs on both the same.
setPriority(5);

const backbone = await loadOwnBackbone();
const parsed = parseParameterValues(patchcore, []);
if ('issues' in parsed) throw new Error('the defaults of patchcore are not valid');
const order = {
  algorithmId: 'patchcore',
  parameterValues: parsed.values,
  steps: [],
  references: {},
  samples: Array.from({ length: 10 }, (_, index) => ({ itemId: `${index}`, name: '', good: true, regions: [] })),
  backbone,
  seed: 1,
};
const loadImage = (seed: number) => textureImage(seed, { size: 256 });
const context = { loadImage, signal: new AbortController().signal, report: () => {} };
const { modelFile } = await trainOrder(order, context);
const photo = await sharp(await textureImage(99, { size: 1024, defect: true }))
  .jpeg({ quality: 90 })
  .toBuffer();

const model: ModelSource = {
  hash: 'model',
  load: async () => modelFile,
  backbone: { ...backbone, hash: 'backbone', load: async () => backbone.onnx },
};
const pool = new ComputePool({ size: 1, log: pino({ level: 'warn' }) });
await pool.warm(model);
const inspector = await openInspector(modelFile, backbone);

/** User and system time of a process, milliseconds. */
function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * CLOCK_TICK_MS;
}

async function measure(work: () => Promise<unknown>) {
  const pids = [process.pid, ...pool.stats().processes.flatMap(({ pid }) => pid ?? [])];
  const total = () => pids.reduce((sum, pid) => sum + cpuMs(pid), 0);
  const [cpu, wall] = [total(), performance.now()];
  await work();
  return { cpu: (total() - cpu) / IMAGES_A_ROUND, wall: (performance.now() - wall) / IMAGES_A_ROUND };
}

const median = (values: number[]): number => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
const images = Array.from({ length: IMAGES_A_ROUND }, () => photo);
const bare: { cpu: number; wall: number }[] = [];
const pooled: typeof bare = [];
const delay = monitorEventLoopDelay({ resolution: 1 });
for (let round = 0; round < ROUNDS; round++) {
  bare.push(
    await measure(async () => {
      for (const image of images) await inspector.inspect(image, options);
    }),
  );
  delay.enable();
  pooled.push(await measure(() => Promise.all(images.map((image) => pool.predict({ model, image, options })))));
  delay.disable();
}
const of = (rounds: typeof bare) => ({
  cpuMs: median(rounds.map(({ cpu }) => cpu)),
  wallMs: median(rounds.map(({ wall }) => wall)),
});
const [inProcess, inPool] = [of(bare), of(pooled)];
console.log(
  JSON.stringify({
    imageBytes: photo.length,
    inProcess,
    inPool,
    throughputRatio: { byCpu: inProcess.cpuMs / inPool.cpuMs, byWall: inProcess.wallMs / inPool.wallMs },
    eventLoopDelayMs: { p50: delay.percentile(50) / 1e6, p99: delay.percentile(99) / 1e6 },
    processRssMb: (pool.stats().processes[0]?.rssBytes ?? 0) / 1e6,
  }),
);
await pool.close();
await inspector.dispose();
