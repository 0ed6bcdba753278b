import { readFile } from 'node:fs/promises';
import { withTrainingThreads } from '../jobs/compute/training-threads.ts';
import { render } from '../messages/message.ts';
import { decodeImage } from '../vision/image/decode-image.ts';
import { openInspector, prepareNothing, type ScoredRegion } from '../vision/inspection/open-inspector.ts';
import { createRandom } from '../vision/math/random.ts';
import { encodeModel } from '../vision/model-file/model-file.ts';
import { trainModel } from '../vision/training/train-model.ts';
import type { BackboneFile, TrainingSample } from '../vision/types.ts';
import { type AlgorithmOptions, openAlgorithm } from './command-options.ts';
import { type AnnotatedImage, type Dataset, readMask, type TestImage } from './dataset-folder.ts';
import {
  type EvaluationReport,
  evaluationReport,
  type TestedImage,
  type TrainedEvaluation,
} from './evaluation-report.ts';
import { fileDigest } from './image-files.ts';

export interface EvaluateOptions extends AlgorithmOptions {
  /** From which anomaly score on a region is reported; absent: 0.5. Verdicts are by 0.5 in any case. */
  readonly regionsFrom?: number;
  report?(text: string): void;
}

export interface Evaluation {
  readonly report: EvaluationReport;
  readonly trained: TrainedEvaluation;
  /** Regions of each test image. */
  readonly regions: readonly (readonly ScoredRegion[])[];
}

const VERDICT_THRESHOLD = 0.5;

/**
 * Trains on the data set's training images and measures the model on its test images.
 * @throws CommandError in words for a wrong algorithm or parameter; AppError for a network; VisionError from the engine
 */
export async function evaluateDataset(dataset: Dataset, options: EvaluateOptions): Promise<Evaluation> {
  const { algorithm, values, backbone } = await openAlgorithm(options);
  const started = performance.now();
  const samples: TrainingSample[] = [];
  for (const image of dataset.train) samples.push(await toSample(image));
  const model = await withTrainingThreads((threads) =>
    trainModel({
      ...threads,
      algorithm,
      samples,
      params: values,
      backbone,
      random: createRandom(Number(values['seed'] ?? 0)),
      signal: new AbortController().signal,
      report: ({ doing }) => options.report?.(render(doing, 'en')),
    }),
  );
  const trained: TrainedEvaluation = {
    seconds: (performance.now() - started) / 1000,
    model: encodeModel(model),
    outliers: model.leftOut,
    doubtful: model.doubtful,
  };
  for (const remark of model.remarks) options.report?.(render(remark, 'en'));
  const tested = await testModel(dataset.test, trained.model, backbone, options);
  // The report names the network that `auto` stands for on this machine: figures differ between networks.
  const params = { ...values, backbone: backbone.id };
  return {
    report: evaluationReport(dataset, algorithm.id, params, trained, tested),
    trained,
    regions: tested.map(({ verdict }) => verdict.regions),
  };
}

/** Two folders may hold files of the same name: a sample has its path for a name. */
async function toSample({ path, good, regions }: AnnotatedImage): Promise<TrainingSample> {
  const load = async () => prepareNothing(await decodeImage(await readFile(path)));
  return { itemId: path, name: path, good, regions, content: await fileDigest(path), load };
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
