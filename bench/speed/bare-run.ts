// Inspects images again and again in a process of its own: bare-run.js MODEL SECONDS IMAGE…
// For each line of input it inspects for SECONDS, with heatmaps where the line is "heatmaps", and prints the number of images.
import { readFile } from 'node:fs/promises';
import { setPriority } from 'node:os';
import { createInterface } from 'node:readline';
import sharp from 'sharp';
import { createBackboneCatalogue } from '../../src/domains/algorithms/backbone-catalogue.ts';
import { collectRarely } from '../../src/jobs/compute/process-etiquette.ts';
import { openInspector } from '../../src/vision/inspection/open-inspector.ts';

export interface BareRun {
  readonly count: number;
  readonly seconds: number;
}

const WARM_UP = 16;
const [modelPath = '', seconds = '5', ...paths] = process.argv.slice(2);
// The same settings as compute processes have.
collectRarely();
setPriority(5);
sharp.concurrency(1);
sharp.cache(false);
const images = await Promise.all(paths.map((path) => readFile(path)));
const inspector = await openInspector(
  await readFile(modelPath),
  await createBackboneCatalogue(undefined).getBackbone('auto'),
);
const options = { threshold: 0.5, ignoreOuter: 'none', minDetectedArea: 0 };
const inspect = async (index: number, heatmap: boolean): Promise<void> => {
  const image = images[index % images.length];
  if (image) await inspector.inspect(image, { ...options, heatmap });
};
/** Before each turn, too: caches are cold after a pause. */
const warmUp = async (heatmap: boolean): Promise<void> => {
  for (let index = 0; index < WARM_UP; index++) await inspect(index, heatmap);
};
await warmUp(true);
process.stdout.write('ready\n');
for await (const line of createInterface(process.stdin)) {
  const heatmap = line === 'heatmaps';
  await warmUp(heatmap);
  const started = performance.now();
  let count = 0;
  while (performance.now() - started < Number(seconds) * 1000) await inspect(count++, heatmap);
  const run: BareRun = { count, seconds: (performance.now() - started) / 1000 };
  console.log(JSON.stringify(run));
}
process.exit(0);
