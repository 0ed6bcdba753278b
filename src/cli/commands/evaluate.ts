import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { basename, resolve } from 'node:path';
import type { Command } from 'commander';
import { algorithms, findAlgorithm } from '../../vision/algorithms/catalogue.ts';
import { type ParameterOverride, parseParameterValues } from '../../vision/algorithms/parameter-values.ts';
import { type DetectedBox, type LabelledBox, meanAveragePrecision } from '../../vision/evaluation/detection-metrics.ts';
import { type MaskedMap, pixelMetrics } from '../../vision/evaluation/pixel-metrics.ts';
import { averagePrecision, f1Max, imageAuroc } from '../../vision/evaluation/ranking-metrics.ts';
import { decodeImage } from '../../vision/image/decode-image.ts';
import { openInspector, prepareNothing } from '../../vision/inspection/open-inspector.ts';
import { quantile } from '../../vision/math/quantile.ts';
import { createRandom } from '../../vision/math/random.ts';
import { encodeModel } from '../../vision/model-file.ts';
import { trainModel } from '../../vision/training/train-model.ts';
import type { Algorithm, BackboneFile, ParameterValues, TrainingSample } from '../../vision/types.ts';
import { type BoxImage, readBoxDataset } from '../box-dataset.ts';
import { type DatasetFolder, readDatasetFolder, type TestImage } from '../dataset-folder.ts';
import { readBackbone } from '../read-backbone.ts';
import { readMask } from '../read-mask.ts';

export interface EvaluateOptions {
  readonly directory: string;
  readonly algorithm: string;
  readonly params: readonly ParameterOverride[];
  /** Only the first so many training images. */
  readonly trainLimit?: number;
  /** The folder has the DeepPCB layout, with rectangles. */
  readonly boxes?: boolean;
  /** Folder of the user's own networks. */
  readonly backbonesFolder?: string;
  report?(text: string): void;
}

/** Figures that cannot be computed are null. */
export interface EvaluationReport {
  readonly dataset: string;
  readonly algorithm: string;
  readonly params: ParameterValues;
  readonly train_images: number;
  readonly test_good: number;
  readonly test_defect: number;
  readonly image_auroc: number | null;
  readonly image_ap: number | null;
  readonly pixel_auroc: number | null;
  readonly pixel_pro: number | null;
  readonly f1_max: number | null;
  readonly at_threshold: { readonly false_alarms: number; readonly escapes: number };
  readonly train_seconds: number;
  readonly ms_per_image: { readonly p50: number; readonly p95: number };
  readonly peak_rss_mb: number;
  readonly model_mb: number;
  /** With `--boxes`: mean average precision of classes at an intersection over union of 0.33, and each class's own. */
  readonly map_iou33?: number | null;
  readonly ap_per_class?: Readonly<Record<number, number>>;
}

interface Trained {
  readonly bytes: Uint8Array;
  readonly seconds: number;
}

interface Tested {
  readonly good: number[];
  readonly defect: number[];
  readonly falseAlarms: number;
  readonly escapes: number;
  readonly milliseconds: number[];
  readonly maps: MaskedMap[];
  readonly boxes: DetectedBox[];
}

const toSample = ({ path, good, regions }: BoxImage): TrainingSample => ({
  itemId: path,
  name: basename(path),
  good,
  regions,
  load: async () => prepareNothing(await decodeImage(await readFile(path))),
});

async function train(
  algorithm: Algorithm,
  params: ParameterValues,
  images: readonly BoxImage[],
  backbone: BackboneFile,
  { report }: EvaluateOptions,
): Promise<Trained> {
  const started = performance.now();
  const model = await trainModel({
    algorithm,
    samples: images.map(toSample),
    params,
    random: createRandom(Number(params['seed'] ?? 0)),
    threads: Math.min(2, availableParallelism()),
    backbone,
    signal: new AbortController().signal,
    report: ({ text }) => report?.(text),
  });
  const seconds = (performance.now() - started) / 1000;
  if (model.leftOut.length > 0) report?.(`left out as unlike all others: ${model.leftOut.join(', ')}`);
  return { bytes: encodeModel(model), seconds };
}

async function test(
  model: Uint8Array,
  backbone: BackboneFile,
  images: readonly TestImage[],
  { report, boxes: withBoxes }: EvaluateOptions,
): Promise<Tested> {
  const inspector = await openInspector(model, backbone);
  const [good, defect, milliseconds, maps]: [number[], number[], number[], MaskedMap[]] = [[], [], [], []];
  const boxes: DetectedBox[] = [];
  let [falseAlarms, escapes] = [0, 0];
  for (const [index, image] of images.entries()) {
    const bytes = await readFile(image.path);
    const started = performance.now();
    // Precision is measured over all regions, also those that would not be shown.
    const options = { threshold: withBoxes ? 0 : 0.5, ignoreOuter: 'none', minDetectedArea: 0, heatmap: true };
    const verdict = await inspector.inspect(bytes, options);
    milliseconds.push(performance.now() - started);
    (image.good ? good : defect).push(verdict.rawScore);
    const defective = verdict.regions.some((region) => region.anomalyScore >= 0.5);
    if (image.good && defective) falseAlarms++;
    if (!image.good && !defective) escapes++;
    for (const { label, anomalyScore: score, ...region } of verdict.regions)
      if (label !== undefined) boxes.push({ ...region, image: index, label, score });
    const mask = image.maskPath ? await readMask(image.maskPath) : undefined;
    if (mask) maps.push({ map: verdict.map, ...mask });
    else if (image.good) maps.push({ map: verdict.map, width: verdict.width, height: verdict.height });
    report?.(`inspecting ${index + 1}/${images.length}`);
  }
  await inspector.dispose();
  return { good, defect, falseAlarms, escapes, milliseconds, maps, boxes };
}

function summarise(
  { name, test: images }: Pick<DatasetFolder, 'name' | 'test'>,
  algorithm: Algorithm,
  params: ParameterValues,
  trainImages: number,
  trained: Trained,
  tested: Tested,
): EvaluationReport {
  const { good, defect, falseAlarms, escapes, milliseconds } = tested;
  const scores = { good, defect };
  const pixels = pixelMetrics(tested.maps);
  return {
    dataset: name,
    algorithm: algorithm.id,
    params,
    train_images: trainImages,
    test_good: images.filter((image) => image.good).length,
    test_defect: images.filter((image) => !image.good).length,
    image_auroc: imageAuroc(scores),
    image_ap: averagePrecision(scores),
    pixel_auroc: pixels.auroc,
    pixel_pro: pixels.pro,
    f1_max: f1Max(scores),
    at_threshold: { false_alarms: falseAlarms, escapes },
    train_seconds: trained.seconds,
    ms_per_image: { p50: quantile(milliseconds, 0.5), p95: quantile(milliseconds, 0.95) },
    peak_rss_mb: process.resourceUsage().maxRSS / 1024,
    model_mb: trained.bytes.length / 1e6,
  };
}

interface EvaluationImages {
  readonly name: string;
  readonly train: readonly BoxImage[];
  readonly test: readonly TestImage[];
  /** True rectangles of the test images. */
  readonly truth: readonly LabelledBox[];
}

async function readImages({ directory, boxes }: EvaluateOptions): Promise<EvaluationImages> {
  if (!boxes) {
    const { name, trainGood, test } = await readDatasetFolder(resolve(directory));
    return { name, train: trainGood.map((path) => ({ path, good: true, regions: [] })), test, truth: [] };
  }
  const { name, train, test } = await readBoxDataset(resolve(directory));
  const truth = test.flatMap(({ regions }, image) =>
    regions.flatMap(({ label, ...region }) => (label === null ? [] : [{ ...region, label, image }])),
  );
  const images = test.map(({ path, good }) => ({ path, good, kind: good ? 'good' : 'defect' }));
  return { name, train, test: images, truth };
}

const BOX_OVERLAP = 0.33;

function boxFigures(truth: readonly LabelledBox[], found: readonly DetectedBox[]) {
  const { mean, perClass } = meanAveragePrecision(truth, found, BOX_OVERLAP);
  return { map_iou33: mean, ap_per_class: perClass };
}

/**
 * Trains on the folder's good images (with `boxes`, on its annotated ones too) and measures the model on its test images.
 * @throws Error in words for a wrong folder, algorithm or parameter; VisionError from the engine
 */
export async function evaluateFolder(options: EvaluateOptions): Promise<EvaluationReport> {
  const algorithm = findAlgorithm(options.algorithm);
  if (!algorithm)
    throw new Error(`No algorithm ${options.algorithm}; there are ${algorithms.map(({ id }) => id).join(', ')}.`);
  const parsed = parseParameterValues(algorithm, options.params);
  if ('issues' in parsed) throw new Error(parsed.issues.map((issue) => issue.message).join('; '));
  const params = parsed.values;
  const folder = await readImages(options);
  const backbone = await readBackbone(String(params['backbone'] ?? 'kensa'), options.backbonesFolder);
  const images = folder.train.slice(0, options.trainLimit);
  const trained = await train(algorithm, params, images, backbone, options);
  const tested = await test(trained.bytes, backbone, folder.test, options);
  const report = summarise(folder, algorithm, params, images.length, trained, tested);
  return options.boxes ? { ...report, ...boxFigures(folder.truth, tested.boxes) } : report;
}

function printReport(report: EvaluationReport): void {
  for (const [name, value] of Object.entries(report)) {
    const text = typeof value === 'number' && !Number.isInteger(value) ? value.toFixed(4) : JSON.stringify(value);
    process.stdout.write(`${name.padEnd(16)} ${text}\n`);
  }
}

const parseOverride = (text: string, earlier: ParameterOverride[]): ParameterOverride[] => {
  const [name = '', ...value] = text.split('=');
  return [...earlier, { name, value: value.join('=') }];
};

interface EvaluateFlags {
  readonly algorithm: string;
  readonly param: ParameterOverride[];
  readonly trainLimit?: string;
  readonly backbones?: string;
  readonly boxes?: boolean;
  readonly json?: boolean;
}

/** Adds `evaluate DIR` to the program. */
export function registerEvaluate(program: Command): void {
  program
    .command('evaluate')
    .description('train on train/good of a folder and measure on its test images')
    .argument('<dir>', 'folder with train/good, test/good, test/<kind>, and masks in ground_truth/<kind>')
    .option('--algorithm <id>', 'algorithm of the catalogue', 'patchcore')
    .option('--param <name=value>', 'parameter of the algorithm, may be repeated', parseOverride, [])
    .option('--train-limit <n>', 'use the first n training images only')
    .option('--backbones <folder>', 'folder of your own networks')
    .option('--boxes', 'the folder holds rectangles in the layout of DeepPCB; half of it is for training')
    .option('--json', 'print the figures as JSON')
    .action(async (directory: string, flags: EvaluateFlags) => {
      const limit = flags.trainLimit === undefined ? {} : { trainLimit: Number(flags.trainLimit) };
      const terminal = process.stderr.isTTY && !flags.json;
      const report = await evaluateFolder({
        directory,
        algorithm: flags.algorithm,
        params: flags.param,
        ...limit,
        boxes: flags.boxes ?? false,
        ...(flags.backbones ? { backbonesFolder: flags.backbones } : {}),
        report: (text) => {
          if (terminal) process.stderr.write(`\r\u001b[K${text}`);
        },
      });
      if (terminal) process.stderr.write('\r\u001b[K');
      if (flags.json) process.stdout.write(`${JSON.stringify(report)}\n`);
      else printReport(report);
    });
}
