// Judges photos over and over in a process of its own: node --import tsx bench/speed/bare-run.ts MODEL SECONDS PHOTO…
// It starts when a line comes, and prints how many it judged and how long each took.
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { setPriority } from 'node:os';
import sharp from 'sharp';
import { createBackboneCatalogue } from '../../src/domains/algorithms/backbone-catalogue.ts';
import { openInspector } from '../../src/vision/inspection/open-inspector.ts';

export interface BareRun {
  readonly count: number;
  readonly seconds: number;
  readonly milliseconds: readonly number[];
}

const [modelPath = '', seconds = '5', ...paths] = process.argv.slice(2);
// As compute processes are.
setPriority(5);
sharp.concurrency(1);
sharp.cache(false);
const photos = await Promise.all(paths.map((path) => readFile(path)));
const inspector = await openInspector(
  await readFile(modelPath),
  await createBackboneCatalogue(undefined).getBackbone('auto'),
);
const options = { threshold: 0.5, ignoreOuter: 'none', minDetectedArea: 0, heatmap: true };
const inspect = async (index: number): Promise<void> => {
  const photo = photos[index % photos.length];
  if (photo) await inspector.inspect(photo, options);
};
for (let index = 0; index < 8; index++) await inspect(index);
process.stdout.write('ready\n');
await once(process.stdin, 'data');
const started = performance.now();
const milliseconds: number[] = [];
while (performance.now() - started < Number(seconds) * 1000) {
  const before = performance.now();
  await inspect(milliseconds.length);
  milliseconds.push(performance.now() - before);
}
const run: BareRun = { count: milliseconds.length, seconds: (performance.now() - started) / 1000, milliseconds };
console.log(JSON.stringify(run));
process.exit(0);
