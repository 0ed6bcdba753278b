/**
 * What teaching single items is worth: of the test items that a model judges wrongly some are taught, and all the others
 * are judged again. Prints the table of docs/algorithms/refine.md.
 * `npm run bench:refine -- DIR… [--algorithm patchcore] [--labelled 10] [--train-limit 100] [--test-limit 100] [--thresholds 0.5]
 * [--params training_steps=600] [--boxes] [--teach 1,3,5] [--draws 3] [--known 100] [--whole]`; supervised algorithms need defects to learn from: `--labelled`.
 */
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import type { BoxImage } from '../src/cli/box-dataset.ts';
import type { TestImage } from '../src/cli/dataset-folder.ts';
import { type EvaluationImages, readEvaluationImages } from '../src/cli/evaluation-images.ts';
import { readMask } from '../src/cli/read-mask.ts';
import { createBackboneCatalogue } from '../src/domains/algorithms/backbone-catalogue.ts';
import { findAlgorithm } from '../src/vision/algorithms/catalogue.ts';
import type { Algorithm } from '../src/vision/algorithms/contract/algorithm.ts';
import { parseParameterValues } from '../src/vision/algorithms/contract/parameter-values.ts';
import { highestScore, inspectMap } from '../src/vision/anomaly-map/inspected-map.ts';
import { NO_MARGINS } from '../src/vision/anomaly-map/parse-ignore-outer.ts';
import { openCorrectedScorer } from '../src/vision/corrections/corrected-scorer.ts';
import type { RefinableModel } from '../src/vision/corrections/refinable-model.ts';
import { decodeImage } from '../src/vision/image/decode-image.ts';
import { prepareNothing } from '../src/vision/inspection/open-inspector.ts';
import { createRandom } from '../src/vision/math/random.ts';
import { sampleIndices } from '../src/vision/math/sample-indices.ts';
import type { ModelFile } from '../src/vision/model-file/model-file.ts';
import { type JudgedImage, type JudgedSample, judgeSample } from '../src/vision/refining/judged-sample.ts';
import { refineModel } from '../src/vision/refining/refine-model.ts';
import { rawScoreAt } from '../src/vision/training/anomaly-score.ts';
import { trainModel } from '../src/vision/training/train-model.ts';
import type { LabelledRegion, TrainingSample } from '../src/vision/types.ts';
import { VisionError } from '../src/vision/vision-error.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    algorithm: { type: 'string', default: 'patchcore' },
    params: { type: 'string', default: '' },
    labelled: { type: 'string' },
    boxes: { type: 'boolean', default: false },
    'train-limit': { type: 'string' },
    'test-limit': { type: 'string' },
    thresholds: { type: 'string', default: '0.5' },
    teach: { type: 'string', default: '1,3,5' },
    draws: { type: 'string', default: '3' },
    known: { type: 'string', default: '100' },
    whole: { type: 'boolean', default: false },
  },
});
function getAlgorithm(id: string): Algorithm {
  const algorithm = findAlgorithm(id);
  if (algorithm) return algorithm;
  throw new Error(`There is no algorithm ${id}.`);
}

const algorithm = getAlgorithm(values.algorithm);
const backbone = await createBackboneCatalogue(undefined).getBackbone('kensa');
const signal = new AbortController().signal;
const report = (): void => undefined;

const load = (path: string) => async () => prepareNothing(await decodeImage(await readFile(path)));
const sampleOf = (path: string, good: boolean, regions: readonly LabelledRegion[] = []): TrainingSample => ({
  ...{ itemId: path, name: basename(path), good, regions },
  load: load(path),
});

/** The rectangle around all that is drawn in the mask, as a person would draw it. */
async function regionsOf({ maskPath, kind }: TestImage, kinds: readonly string[]): Promise<LabelledRegion[]> {
  if (maskPath === undefined || values.whole) return [];
  const { width, mask } = await readMask(maskPath);
  const drawn = [...mask.keys()].filter((pixel) => mask[pixel] === 1);
  if (drawn.length === 0) return [];
  const [xs, ys] = [drawn.map((pixel) => pixel % width), drawn.map((pixel) => Math.floor(pixel / width))];
  const ends = (list: readonly number[]): [number, number] => {
    const sorted = [...list].sort((a, b) => a - b);
    return [sorted[0] ?? 0, (sorted.at(-1) ?? 0) + 1];
  };
  const [[xMin, xMax], [yMin, yMax]] = [ends(xs), ends(ys)];
  return [{ xMin, yMin, xMax, yMax, label: kinds.includes(kind) ? kinds.indexOf(kind) + 1 : null }];
}

async function train(images: readonly BoxImage[]): Promise<ModelFile> {
  const given = values.params.split(',').filter((pair) => pair !== '');
  const overrides = given.map((pair) => ({ name: pair.split('=')[0] ?? '', value: pair.split('=')[1] ?? '' }));
  const parsed = parseParameterValues(algorithm, overrides);
  if ('issues' in parsed) throw new Error(JSON.stringify(parsed.issues));
  const samples = images.map(({ path, good, regions }) => sampleOf(path, good, regions));
  const random = createRandom(0);
  return trainModel({ algorithm, samples, params: parsed.values, random, threads: 2, backbone, signal, report });
}

const open = ({ payload }: ModelFile): Promise<RefinableModel> => algorithm.openRefinable(payload, backbone, 2);

/** Raw scores of images whose patches are at hand. */
async function scoreAll(file: ModelFile, images: readonly JudgedImage[]): Promise<number[]> {
  const model = await open(file);
  const scorer = await openCorrectedScorer(model.corrections, model.smoothing, 2);
  const scores: number[] = [];
  for (const { judged, frame } of images)
    scores.push(highestScore(inspectMap((await scorer.score(judged)).map, frame, NO_MARGINS)));
  await scorer.dispose();
  await model.dispose();
  return scores;
}

async function judgeTest(file: ModelFile, { test, truth, kinds = [] }: EvaluationImages): Promise<JudgedImage[]> {
  const model = await open(file);
  const images: JudgedImage[] = [];
  for (const [index, image] of test.entries()) {
    const boxes = truth.filter((box) => box.image === index && !values.whole);
    const sample = {
      ...sampleOf(image.path, image.good, boxes.length > 0 ? boxes : await regionsOf(image, kinds)),
      use: 'teach',
      learned: false,
    } as const;
    images.push(await judgeSample(sample, model, NO_MARGINS));
  }
  await model.dispose();
  return images;
}

/** As many of the training images, spread evenly. */
function knownOf({ train: images }: EvaluationImages): JudgedSample[] {
  const count = Math.min(images.length, Number(values.known));
  return Array.from({ length: count }, (_, i) => images[Math.floor((i * images.length) / count)]).flatMap((image) =>
    image ? [{ ...sampleOf(image.path, image.good, image.regions), use: 'known', learned: true } as const] : [],
  );
}

async function measure(directory: string): Promise<void> {
  const labelled = values.labelled ? { labelled: { count: Number(values.labelled), seed: 0 } } : {};
  const limit = values['train-limit'] ? { trainLimit: Number(values['train-limit']) } : {};
  const all = await readEvaluationImages({ directory, boxes: values.boxes, ...labelled, ...limit });
  const folder = { ...all, test: all.test.slice(0, Number(values['test-limit'] ?? all.test.length)) };
  const file = await train(folder.train);
  const images = await judgeTest(file, folder);
  for (const threshold of values.thresholds.split(',').map(Number)) await teachSome(folder, file, images, threshold);
}

async function teachSome(
  folder: EvaluationImages,
  file: ModelFile,
  images: readonly JudgedImage[],
  threshold: number,
): Promise<void> {
  const limit = rawScoreAt(threshold, file.calibration.rawThreshold);
  const before = await scoreAll(file, images);
  const isWrong = (score: number, image: JudgedImage): boolean => image.sample.good === score >= limit;
  const wrong = images.filter((image, index) => isWrong(before[index] ?? 0, image));
  const tally = (list: readonly JudgedImage[]): string =>
    `${list.filter(({ sample }) => !sample.good).length} / ${list.filter(({ sample }) => sample.good).length}`;
  console.log(`| ${folder.name} | ${threshold} | none | – | ${tally(wrong)} | – | – |`);
  for (const count of values.teach.split(',').map(Number))
    for (let draw = 0; draw < Number(values.draws); draw++) {
      if (count > wrong.length) continue;
      const random = createRandom(100 * count + draw);
      const taught = [...sampleIndices(wrong.length, count, random)].flatMap((index) => wrong[index] ?? []);
      const rest = images.filter((image) => !taught.includes(image));
      const restBefore = rest.filter((image) => wrong.includes(image));
      const options = { threshold, ignoreOuter: 'none', minDetectedArea: 0 };
      const samples = [...taught.map(({ sample }) => sample), ...knownOf(folder)];
      const startedAt = performance.now();
      try {
        const refined = await refineModel({ model: file, backbone, samples, options, threads: 2, signal, report });
        const seconds = (performance.now() - startedAt) / 1000;
        const after = await scoreAll(refined, images);
        const isWrongNow = (image: JudgedImage): boolean => isWrong(after[images.indexOf(image)] ?? 0, image);
        const right = taught.filter((image) => !isWrongNow(image)).length;
        console.log(
          `| ${folder.name} | ${threshold} | ${tally(taught)} | ${right}/${count} | ${tally(restBefore)} | ${tally(rest.filter(isWrongNow))} | ${seconds.toFixed(1)} |`,
        );
      } catch (error) {
        if (!(error instanceof VisionError)) throw error;
        console.log(
          `| ${folder.name} | ${threshold} | ${tally(taught)} | refused: ${error.message} | ${tally(restBefore)} | – | – |`,
        );
      }
    }
}

console.log('Escapes / false alarms of each kind.\n');
console.log(
  '| Set | threshold | taught | right now | others wrong before | others wrong after | s |\n|---|---|---|---|---|---|---|',
);
for (const directory of positionals) await measure(directory);
