// Trains on a folder and inspects its test images in a process of its own, and prints one line of JSON:
// kensa-run.js FOLDER BACKBONE THREADS [TRAIN_LIMIT [NETWORKS]]. A limit of 0 means all images; NETWORKS is a folder of networks.
import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { readDatasetFolder } from '../../src/cli/dataset-folder.ts';
import { createBackboneCatalogue } from '../../src/domains/algorithms/backbone-catalogue.ts';
import { withTrainingThreads } from '../../src/jobs/compute/training-threads.ts';
import { patchcore } from '../../src/vision/algorithms/catalogue.ts';
import { parseParameterValues } from '../../src/vision/algorithms/contract/parameter-values.ts';
import { imageAuroc } from '../../src/vision/evaluation/ranking-metrics.ts';
import { decodeImage } from '../../src/vision/image/decode-image.ts';
import { openInspector, prepareNothing } from '../../src/vision/inspection/open-inspector.ts';
import { createRandom } from '../../src/vision/math/random.ts';
import { encodeModel } from '../../src/vision/model-file/model-file.ts';
import { type TrainOptions, trainModel } from '../../src/vision/training/train-model.ts';

export interface KensaRun {
  readonly trainImages: number;
  readonly trainSeconds: number;
  readonly milliseconds: readonly number[];
  /** Processor time of all threads. It hardly depends on other work of the machine. */
  readonly trainCpuSeconds: number;
  /** Processor time of an image. */
  readonly cpuMilliseconds: number;
  readonly auroc: number | null;
  readonly peakMib: number;
}

const [folder = '.', backboneId = 'kensa', threads = '1', limit = '0', networks] = process.argv.slice(2);
sharp.concurrency(1);
sharp.cache(false);
// The same settings as the service's processes have.
const dataset = await readDatasetFolder(folder, Number(limit) || undefined);
const training = dataset.train;
const backbone = await createBackboneCatalogue(networks).getBackbone(backboneId);
const parsed = parseParameterValues(patchcore, []);
if ('issues' in parsed) throw new Error('the defaults of patchcore are not valid');

/** Milliseconds of all threads since the process began. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

const [started, cpuStarted] = [performance.now(), cpuMs()];
const train = (side: Pick<TrainOptions, 'threads' | 'sideBySide'>) =>
  trainModel({
    ...side,
    algorithm: patchcore,
    samples: training.map(({ path }) => ({
      itemId: path,
      name: path,
      good: true,
      regions: [],
      load: async () => prepareNothing(await decodeImage(await readFile(path))),
    })),
    params: parsed.values,
    random: createRandom(1),
    backbone,
    signal: new AbortController().signal,
    report: () => {},
  });
const model = await withTrainingThreads(train, Number(threads));
const trainSeconds = (performance.now() - started) / 1000;
const trainCpuSeconds = (cpuMs() - cpuStarted) / 1000;

const inspector = await openInspector(encodeModel(model), backbone);
const scores: { good: number[]; defect: number[] } = { good: [], defect: [] };
const milliseconds: number[] = [];
const testStarted = cpuMs();
for (const { path, good } of dataset.test) {
  const before = performance.now();
  const options = { threshold: 0.5, ignoreOuter: 'none', minDetectedArea: 0, heatmap: false };
  const { rawScore } = await inspector.inspect(await readFile(path), options);
  milliseconds.push(performance.now() - before);
  scores[good ? 'good' : 'defect'].push(rawScore);
}
const cpuMilliseconds = (cpuMs() - testStarted) / milliseconds.length;
const peakMib = process.resourceUsage().maxRSS / 1024;
const run: KensaRun = {
  trainImages: training.length,
  trainSeconds,
  milliseconds,
  trainCpuSeconds,
  cpuMilliseconds,
  auroc: imageAuroc(scores) ?? null,
  peakMib,
};
console.log(JSON.stringify(run));
process.exit(0);
