import { readFile } from 'node:fs/promises';
import { collectRarely } from '../jobs/compute/process-etiquette.ts';
import { withTrainingThreads } from '../jobs/compute/training-threads.ts';
import { render } from '../messages/message.ts';
import { pixelMetrics } from '../vision/evaluation/pixel-metrics.ts';
import { averagePrecision, f1Max, imageAuroc } from '../vision/evaluation/ranking-metrics.ts';
import { decodeImage } from '../vision/image/decode-image.ts';
import { type ImageVerdict, openInspector, prepareNothing } from '../vision/inspection/open-inspector.ts';
import { quantile } from '../vision/math/quantile.ts';
import { createRandom } from '../vision/math/random.ts';
import { encodeModel } from '../vision/model-file/model-file.ts';
import { trainModel } from '../vision/training/train-model.ts';
import type { BackboneFile, NamedSample, TrainingSample } from '../vision/types.ts';
import { type AlgorithmOptions, openAlgorithm } from './command-options.ts';
import { type Dataset, readMask, type TestImage } from './dataset-folder.ts';
import { fileDigest } from './image-files.ts';

export interface EvaluateOptions extends AlgorithmOptions {
  /** From which anomaly score on a region is reported; absent: 0.5. Verdicts are by 0.5 in any case. */
  readonly regionsFrom?: number;
  report?(text: string): void;
}

/** What `kensa evaluate --json` prints. */
export type EvaluationReport = Awaited<ReturnType<typeof evaluateDataset>>['report'];

const VERDICT_THRESHOLD = 0.5;

/**
 * Trains on the data set's training images and measures the model on its test images.
 * @returns the report, the paths of training images that were dropped as outliers or are worth a look, and the regions
 * of each test image
 * @throws CommandError in words for a wrong algorithm or parameter; AppError for a network; VisionError from the engine
 */
export async function evaluateDataset(dataset: Dataset, options: EvaluateOptions) {
  collectRarely();
  const { algorithm, values, backbone } = await openAlgorithm(options);
  const started = performance.now();
  const model = await withTrainingThreads(async (threads) =>
    trainModel({
      ...threads,
      algorithm,
      samples: await readSamples(dataset),
      params: values,
      backbone,
      random: createRandom(Number(values['seed'] ?? 0)),
      signal: new AbortController().signal,
      report: ({ doing }) => options.report?.(render(doing, 'en')),
    }),
  );
  const seconds = (performance.now() - started) / 1000;
  for (const remark of model.remarks) options.report?.(render(remark, 'en'));
  const { outliers, doubtful } = model;
  const modelFile = encodeModel(model);
  const tested = await testModel(dataset.test, modelFile, backbone, options);
  const report = {
    dataset: dataset.name,
    algorithm: algorithm.id,
    // The network that `auto` stands for on this machine: figures differ between networks.
    params: { ...values, backbone: backbone.id },
    train_images: dataset.train.length,
    left_out: outliers.length,
    doubtful: doubtful.length,
    ...testFigures(tested),
    train_seconds: seconds,
    ...timeFigures(tested),
    peak_rss_mb: process.resourceUsage().maxRSS / 1024,
    model_mb: modelFile.length / 1e6,
    ...(dataset.kinds ? { labelled: labelFigures(dataset, dataset.kinds, tested) } : {}),
  };
  const namesOf = (samples: readonly NamedSample[]) => samples.map(({ name }) => name);
  return {
    report,
    outliers: namesOf(outliers),
    doubtful: namesOf(doubtful),
    regions: tested.map(({ verdict }) => verdict.regions),
  };
}

async function readSamples({ train }: Dataset): Promise<TrainingSample[]> {
  const samples: TrainingSample[] = [];
  for (const { path, good, regions } of train) {
    const load = async () => prepareNothing(await decodeImage(await readFile(path)));
    // Two folders may hold files of the same name: a sample has its path for a name.
    samples.push({ itemId: path, name: path, good, regions, content: await fileDigest(path), load });
  }
  return samples;
}

interface TestedImage {
  readonly image: TestImage;
  readonly verdict: Omit<ImageVerdict, 'layer'>;
  readonly isNg: boolean;
  /** From file bytes to verdict and regions. */
  readonly milliseconds: number;
  readonly mask: Awaited<ReturnType<typeof readMask>> | undefined;
}

async function testModel(
  images: readonly TestImage[],
  model: Uint8Array,
  backbone: BackboneFile,
  { regionsFrom = VERDICT_THRESHOLD, report }: EvaluateOptions,
): Promise<TestedImage[]> {
  const tested: TestedImage[] = [];
  const inspector = await openInspector(model, backbone, undefined, () => performance.now());
  const options = { threshold: regionsFrom, ignoreOuter: 'none', minDetectedArea: 0, heatmap: false };
  for (const image of images) {
    const bytes = await readFile(image.path);
    const started = performance.now();
    const verdict = await inspector.inspect(bytes, options);
    tested.push({
      image,
      verdict,
      milliseconds: performance.now() - started,
      isNg: verdict.regions.some((region) => region.anomalyScore >= VERDICT_THRESHOLD),
      mask: image.maskPath ? await readMask(image.maskPath) : undefined,
    });
    report?.(`inspecting ${tested.length}/${images.length}`);
  }
  await inspector.dispose();
  return tested;
}

/** A figure that cannot be computed is null. */
function testFigures(tested: readonly TestedImage[]) {
  const good = tested.filter(({ image }) => image.good);
  const defects = tested.filter(({ image }) => !image.good);
  const scores = {
    good: good.map(({ verdict }) => verdict.rawScore),
    defect: defects.map(({ verdict }) => verdict.rawScore),
  };
  // A defective image without a mask tells nothing of its pixels.
  const pixels = pixelMetrics(
    tested.flatMap(({ image, mask, verdict: { map, width, height } }) =>
      image.good || mask ? [{ map, width, height, ...mask }] : [],
    ),
  );
  return {
    test_good: good.length,
    test_defect: defects.length,
    image_auroc: imageAuroc(scores),
    image_ap: averagePrecision(scores),
    pixel_auroc: pixels.auroc,
    pixel_pro: pixels.pro,
    f1_max: f1Max(scores),
    at_threshold: {
      false_alarms: good.filter(({ isNg }) => isNg).length,
      escapes: defects.filter(({ isNg }) => !isNg).length,
    },
  };
}

/** Milliseconds of an image, and the median of each stage. */
function timeFigures(tested: readonly TestedImage[]) {
  const milliseconds = tested.map((image) => image.milliseconds);
  const stages: Record<string, number> = {};
  for (const stage of Object.keys(tested[0]?.verdict.stages ?? {})) {
    const durations = tested.flatMap(({ verdict }) => verdict.stages?.[stage] ?? []);
    stages[stage] = quantile(durations, 0.5);
  }
  return {
    ms_per_image: { p50: quantile(milliseconds, 0.5), p95: quantile(milliseconds, 0.95) },
    ms_stages: stages,
  };
}

/** The number of labelled defects, and the share of the test's defects that got the number of their kind. */
function labelFigures({ train }: Dataset, kinds: readonly string[], tested: readonly TestedImage[]) {
  const defects = tested.filter(({ image }) => !image.good);
  const right = defects.filter(({ image, verdict }) => verdict.label === kinds.indexOf(image.kind) + 1);
  return { defects: train.filter(({ good }) => !good).length, right_class: right.length / defects.length };
}
