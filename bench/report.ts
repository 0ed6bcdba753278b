// Writes one report of speed and memory, with their limits: npm run bench [-- --long --only predict,reference,training,service
// --python FILE --weights FILE --reference-data FOLDER]. Writes bench/results/report.md and .json; --long adds the training on 10,000 images.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { readDatasetFolder } from '../src/cli/dataset-folder.ts';
import { isHeld, type Section } from './speed/figure.ts';
import { openImageFolder } from './speed/image-folder.ts';
import { measurePredict } from './speed/measure-predict.ts';
import { checkReference, measureReference } from './speed/measure-reference.ts';
import { measureService } from './speed/measure-service.ts';
import { measureTraining } from './speed/measure-training.ts';
import { describeMachine, renderReport } from './speed/render-report.ts';

const text = { type: 'string' } as const;
const { values: flags } = parseArgs({
  options: { long: { type: 'boolean' }, only: text, python: text, weights: text, 'reference-data': text },
});
const fromHere = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const wanted = (part: string): boolean => !flags.only || flags.only.split(',').includes(part);
const python = flags.python ?? 'python3';
const weights = flags.weights ?? fromHere('../../shared/weights/resnet50v2_layers123.onnx');
const RUNS = 60;
const TRAINING_COUNTS = [100, 200, 1000];

async function measureAll(): Promise<Section[]> {
  const megapixel = { product: 'machined-part', side: 1024, training: 20, testGood: 6, testDefect: 6 };
  const imageFolder = await openImageFolder(megapixel);
  const { train, test } = await readDatasetFolder(imageFolder);
  const images = test.map(({ path }) => path);
  const sections: Section[] = [];
  if (wanted('predict') || wanted('service')) {
    sections.push(await measurePredict(imageFolder, images.length, RUNS));
    if (wanted('service')) {
      sections.push(
        await measureService({
          training: train.map(({ path }) => path),
          images,
          uploads: 3600,
          singles: 600,
          starts: 5,
        }),
      );
    }
  }
  if (wanted('reference')) {
    const bottle = fromHere('../../shared/data/bottle');
    const many = { product: 'machined-part', side: 1024, training: 200, testGood: 12, testDefect: 18 };
    const folder = flags['reference-data'] ?? (existsSync(bottle) ? bottle : await openImageFolder(many));
    sections.push(await measureReference({ python, weights, folder }));
  }
  if (wanted('training')) {
    const counts = flags.long ? [...TRAINING_COUNTS, 10_000] : TRAINING_COUNTS;
    const many = { product: 'machined-part', side: 512, training: Math.max(...counts), testGood: 1, testDefect: 1 };
    sections.push(await measureTraining(await openImageFolder(many), counts));
  }
  return sections;
}

if (wanted('reference')) checkReference({ python, weights });
const machine = describeMachine(loadavg()[0] ?? 0);
// The service is measured compiled, as it is installed.
execFileSync(process.execPath, [fromHere('../scripts/setup.mjs')], { stdio: 'inherit' });
const started = performance.now();
const sections = await measureAll();
const report = renderReport(machine, sections, (performance.now() - started) / 1000);
const folder = fromHere('results');
await mkdir(folder, { recursive: true });
const name = flags.only ? `report-${flags.only.replaceAll(',', '-')}` : 'report';
await writeFile(join(folder, `${name}.json`), `${JSON.stringify({ machine, sections }, null, 2)}\n`);
await writeFile(join(folder, `${name}.md`), report);
console.log(report);
const missed = sections.flatMap(({ figures }) => figures).filter((figure) => isHeld(figure) === false);
console.log(missed.length === 0 ? 'Every limit is held.' : `${missed.length} limits are not held.`);
process.exit(0);
