import { readFile } from 'node:fs/promises';
import { withTrainingThreads } from '../jobs/compute/training-threads.ts';
import { render } from '../messages/message.ts';
import type { Algorithm } from '../vision/algorithms/contract/algorithm.ts';
import type { ParameterOverride } from '../vision/algorithms/contract/parameter-values.ts';
import { decodeImage } from '../vision/image/decode-image.ts';
import { openInspector, prepareNothing, type ScoredRegion } from '../vision/inspection/open-inspector.ts';
import { createRandom } from '../vision/math/random.ts';
import { encodeModel } from '../vision/model-file/model-file.ts';
import { trainModel } from '../vision/training/train-model.ts';
import type { BackboneFile, ParameterValues, TrainingSample } from '../vision/types.ts';
import { openBackbones, parseAlgorithmOptions } from './command-options.ts';
import { type Dataset, readMask } from './dataset-folder.ts';
import {
  type EvaluationReport,
  evaluationReport,
  type TestedEvaluation,
  type TrainedEvaluation,
} from './evaluation-report.ts';
import { fileDigest } from './image-files.ts';

export interface EvaluateOptions {
  readonly algorithm: string;
  readonly params: readonly ParameterOverride[];
  /** Folder of the user's own networks; absent: `BACKBONES_DIR`. */
  readonly backbonesFolder?: string | undefined;
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
  const { algorithm, values: params } = parseAlgorithmOptions(options.algorithm, options.params);
  const backbone = await openBackbones(options.backbonesFolder).getBackbone(String(params['backbone'] ?? 'kensa'));
  const trained = await train(dataset, algorithm, params, backbone, options);
  const { tested, regions } = await test(dataset, trained.model, backbone, options);
  // The report names the network that `auto` stands for on this machine: figures differ between networks.
  const used = { ...params, backbone: backbone.id };
  return { report: evaluationReport(dataset, algorithm.id, used, trained, tested), trained, regions };
}

async function train(
  dataset: Dataset,
  algorithm: Algorithm,
  params: ParameterValues,
  backbone: BackboneFile,
  { report }: EvaluateOptions,
): Promise<TrainedEvaluation> {
  const started = performance.now();
  const samples: TrainingSample[] = [];
  for (const { path, good, regions } of dataset.train) {
    samples.push({
      // Two folders may hold files of the same name: a sample has its path for a name.
      itemId: path,
      name: path,
      good,
      regions,
      content: await fileDigest(path),
      load: async () => prepareNothing(await decodeImage(await readFile(path))),
    });
  }
  const model = await withTrainingThreads((threads) =>
    trainModel({
      ...threads,
      algorithm,
      samples,
      params,
      backbone,
      random: createRandom(Number(params['seed'] ?? 0)),
      signal: new AbortController().signal,
      report: ({ doing }) => report?.(render(doing, 'en')),
    }),
  );
  const seconds = (performance.now() - started) / 1000;
  for (const remark of model.remarks) report?.(render(remark, 'en'));
  return { model: encodeModel(model), seconds, outliers: model.leftOut, doubtful: model.doubtful };
}

async function test(
  { test: images, kinds = [] }: Dataset,
  model: Uint8Array,
  backbone: BackboneFile,
  { regionsFrom = VERDICT_THRESHOLD, report }: EvaluateOptions,
): Promise<{ tested: TestedEvaluation; regions: (readonly ScoredRegion[])[] }> {
  const tested: TestedEvaluation = {
    good: [],
    defect: [],
    falseAlarms: 0,
    escapes: 0,
    rightClass: 0,
    milliseconds: [],
    stages: {},
    maps: [],
  };
  const regions: (readonly ScoredRegion[])[] = [];
  const inspector = await openInspector(model, backbone, undefined, () => performance.now());
  for (const [index, image] of images.entries()) {
    const bytes = await readFile(image.path);
    const started = performance.now();
    const options = { threshold: regionsFrom, ignoreOuter: 'none', minDetectedArea: 0, heatmap: false };
    const verdict = await inspector.inspect(bytes, options);
    tested.milliseconds.push(performance.now() - started);
    for (const [stage, duration] of Object.entries(verdict.stages ?? {})) {
      tested.stages[stage] ??= [];
      tested.stages[stage].push(duration);
    }
    regions.push(verdict.regions);
    const calledDefective = verdict.regions.some((region) => region.anomalyScore >= VERDICT_THRESHOLD);
    if (image.good) {
      tested.good.push(verdict.rawScore);
      if (calledDefective) tested.falseAlarms++;
    } else {
      tested.defect.push(verdict.rawScore);
      if (!calledDefective) tested.escapes++;
      if (verdict.label === kinds.indexOf(image.kind) + 1) tested.rightClass++;
    }
    const mask = image.maskPath ? await readMask(image.maskPath) : undefined;
    if (mask) tested.maps.push({ map: verdict.map, ...mask });
    else if (image.good) tested.maps.push({ map: verdict.map, width: verdict.width, height: verdict.height });
    report?.(`inspecting ${index + 1}/${images.length}`);
  }
  await inspector.dispose();
  return { tested, regions };
}
