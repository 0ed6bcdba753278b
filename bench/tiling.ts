/**
 * Small defects on large pictures: front panels of 4000×3000 with scratches six pixels wide, and what an inspection
 * costs at three sizes. Prints the tables of docs/algorithms/tiling.md.
 * `npm run bench:tiling -- [--panels 20] [--size 4000x3000] [--backbone kensa] [--folder DIR] [--only accuracy|sizes]
 * [--param name=value …]`
 */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { imageAuroc } from '../src/vision/evaluation/ranking-metrics.ts';
import { median } from '../src/vision/math/quantile.ts';
import type { MeasuredSet } from './tiling/measure-set.ts';
import { CONTRASTS, type PanelSet, renderPanels } from './tiling/render-panels.ts';

const { values } = parseArgs({
  options: {
    panels: { type: 'string', default: '20' },
    size: { type: 'string', default: '4000x3000' },
    algorithm: { type: 'string', default: 'patchcore' },
    backbone: { type: 'string', default: 'kensa' },
    /** Pictures are drawn once into this folder and kept; absent: a temporary one. */
    folder: { type: 'string' },
    only: { type: 'string', default: 'both' },
    param: { type: 'string', multiple: true, default: [] },
  },
});

/** Contrast of each scratched picture, by name. */
type Contrasts = Record<string, number>;

/** Draws what the folder does not have yet. */
async function drawSet(folder: string, set: PanelSet): Promise<Contrasts> {
  const list = join(folder, 'contrasts.json');
  await mkdir(join(folder, 'pictures'), { recursive: true });
  const drawn = await readFile(list, 'utf8').catch(() => undefined);
  if (drawn !== undefined) return JSON.parse(drawn) as Contrasts;
  const contrasts: Contrasts = {};
  for await (const { name, jpeg, contrast } of renderPanels(set)) {
    await writeFile(join(folder, 'pictures', `${name}.jpg`), jpeg);
    if (contrast !== undefined) contrasts[name] = contrast;
  }
  await writeFile(list, JSON.stringify(contrasts));
  return contrasts;
}

async function measure(folder: string, params: readonly string[]): Promise<MeasuredSet> {
  const entry = fileURLToPath(new URL('./tiling/measure-set.ts', import.meta.url));
  const args = [
    '--import',
    import.meta.resolve('tsx'),
    entry,
    join(folder, 'pictures'),
    values.algorithm,
    values.backbone,
    ...params,
  ];
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 2 ** 26 });
  return JSON.parse(stdout) as MeasuredSet;
}

function printAccuracy({ scores }: MeasuredSet, contrasts: Contrasts): void {
  const all = Object.entries(scores);
  const good = all.filter(([name]) => name.startsWith('good-')).map(([, score]) => score);
  const scratched = (wanted: readonly number[]) =>
    all.filter(([name]) => wanted.includes(contrasts[name] ?? 0)).map(([, score]) => score);
  console.log('| Contrast | scratched | image AUROC | escapes | false alarms |\n|---|---|---|---|---|');
  for (const wanted of [...CONTRASTS.map((contrast) => [contrast]), [...CONTRASTS]]) {
    const defect = scratched(wanted);
    const auroc = imageAuroc({ good: good.map(({ raw }) => raw), defect: defect.map(({ raw }) => raw) });
    const [alarms, escapes] = [good.filter((one) => one.anomaly >= 0.5), defect.filter((one) => one.anomaly < 0.5)];
    const name = wanted.length > 1 ? 'all' : `${100 * (wanted[0] ?? 0)} %`;
    console.log(
      `| ${name} | ${defect.length} | ${auroc?.toFixed(4)} | ${escapes.length} | ${alarms.length}/${good.length} |`,
    );
  }
}

function printCost(size: string, { cells, seconds, cpuSeconds, trainSeconds, peakMegabytes }: MeasuredSet): void {
  const middle = median(seconds);
  const cpu = median(cpuSeconds);
  const perCell = (1e6 * cpu) / cells;
  console.log(
    `| ${size} | ${cells} | ${middle.toFixed(2)} | ${cpu.toFixed(2)} | ${perCell.toFixed(1)} | ${trainSeconds.toFixed(1)} | ${peakMegabytes.toFixed(0)} |`,
  );
}

const sizeOf = (text: string) => {
  const [width = 0, height = 0] = text.split('x').map(Number);
  return { width, height };
};

const costHead =
  '\n| Size | cells | s an image | CPU s an image | CPU µs a cell | training s | peak RSS MB |\n|---|---|---|---|---|---|---|';

async function reportAccuracy(folder: string, count: number): Promise<void> {
  const set = { training: count, testGood: count, testScratched: count, seed: 1, ...sizeOf(values.size) };
  const contrasts = await drawSet(join(folder, values.size), set);
  const measured = await measure(join(folder, values.size), values.param);
  console.log(
    `${count} panels of each kind at ${values.size}, ${values.algorithm} ${values.backbone} ${values.param.join(' ')}\n`,
  );
  printAccuracy(measured, contrasts);
  console.log(costHead);
  printCost(`${values.size}, ${count} images`, measured);
}

async function reportSizes(folder: string): Promise<void> {
  console.log(costHead);
  for (const size of ['1000x750', '2000x1500', '4000x3000']) {
    const set = { training: 3, testGood: 4, testScratched: 0, seed: 2, ...sizeOf(size) };
    await drawSet(join(folder, `cost-${size}`), set);
    printCost(size, await measure(join(folder, `cost-${size}`), ['tiling=on', ...values.param]));
  }
}

const folder = values.folder ?? (await mkdtemp(join(tmpdir(), 'kensa-tiling-')));
try {
  if (values.only !== 'sizes') await reportAccuracy(folder, Number(values.panels));
  if (values.only !== 'accuracy') await reportSizes(folder);
} finally {
  if (values.folder === undefined) await rm(folder, { recursive: true, force: true });
  else console.log(`\npictures: ${(await readdir(folder)).join(', ')} in ${folder}`);
}
