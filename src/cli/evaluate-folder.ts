import { readFile } from 'node:fs/promises';
import { createBackboneCatalogue } from '../domains/algorithms/backbone-catalogue.ts';
import { withTrainingThreads } from '../jobs/compute/training-threads.ts';
import type { Algorithm } from '../vision/algorithms/contract/algorithm.ts';
import type { ParameterOverride } from '../vision/algorithms/contract/parameter-values.ts';
import type { DetectedBox } from '../vision/evaluation/detection-metrics.ts';
import type { MaskedMap } from '../vision/evaluation/pixel-metrics.ts';
import { decodeImage } from '../vision/image/decode-image.ts';
import { openInspector, prepareNothing } from '../vision/inspection/open-inspector.ts';
import { createRandom } from '../vision/math/random.ts';
import { encodeModel } from '../vision/model-file/model-file.ts';
import { trainModel } from '../vision/training/train-model.ts';
import type { BackboneFile, ParameterValues, TrainingSample } from '../vision/types.ts';
import type { BoxImage } from './box-dataset.ts';
import { checkFolder } from './check-folder.ts';
import { type EvaluationImages, type EvaluationSource, readEvaluationImages } from './evaluation-images.ts';
import {
  type EvaluationReport,
  evaluationReport,
  type TestedEvaluation,
  type TrainedEvaluation,
} from './evaluation-report.ts';
import { fileDigest } from './file-digest.ts';
import { parseAlgorithmOptions } from './parameter-options.ts';
import { readMask } from './read-mask.ts';

export interface EvaluateOptions extends EvaluationSource {
  readonly algorithm: string;
  readonly params: readonly ParameterOverride[];
  /** Folder of the user's own networks. */
  readonly backbonesFolder?: string;
  report?(text: string): void;
}

/** Named by its path: two folders may hold files of the same name. */
const toSample = async ({ path, good, regions }: BoxImage): Promise<TrainingSample> => ({
  itemId: path,
  name: path,
  good,
  regions,
  content: await fileDigest(path),
  load: async () => prepareNothing(await decodeImage(await readFile(path))),
});

async function train(
  algorithm: Algorithm,
  params: ParameterValues,
  images: readonly BoxImage[],
  backbone: BackboneFile,
  { report }: EvaluateOptions,
): Promise<TrainedEvaluation> {
  const started = performance.now();
  const samples: TrainingSample[] = [];
  for (const image of images) samples.push(await toSample(image));
  const random = createRandom(Number(params['seed'] ?? 0));
  const { signal } = new AbortController();
  const model = await withTrainingThreads((threads) =>
    trainModel({
      ...{ ...threads, algorithm, samples, params, random, backbone, signal },
      report: ({ text }) => report?.(text),
    }),
  );
  const seconds = (performance.now() - started) / 1000;
  const { leftOut, doubtful } = model;
  for (const remark of model.remarks) report?.(remark);
  return { model: encodeModel(model), seconds, leftOut, doubtful };
}

async function test(
  model: Uint8Array,
  backbone: BackboneFile,
  { test: images, kinds = [] }: EvaluationImages,
  { report, boxes: withBoxes }: EvaluateOptions,
): Promise<TestedEvaluation> {
  const inspector = await openInspector(model, backbone, undefined, () => performance.now());
  const [good, defect, milliseconds, maps]: [number[], number[], number[], MaskedMap[]] = [[], [], [], []];
  const boxes: DetectedBox[] = [];
  const stages: Record<string, number[]> = {};
  let [falseAlarms, escapes, named] = [0, 0, 0];
  for (const [index, image] of images.entries()) {
    const bytes = await readFile(image.path);
    const started = performance.now();
    // Precision is measured over all regions, also those that would not be shown.
    const options = { threshold: withBoxes ? 0 : 0.5, ignoreOuter: 'none', minDetectedArea: 0, heatmap: false };
    const verdict = await inspector.inspect(bytes, options);
    milliseconds.push(performance.now() - started);
    for (const [stage, duration] of Object.entries(verdict.stages ?? {})) {
      stages[stage] ??= [];
      stages[stage].push(duration);
    }
    (image.good ? good : defect).push(verdict.rawScore);
    const defective = verdict.regions.some((region) => region.anomalyScore >= 0.5);
    if (image.good && defective) falseAlarms++;
    if (!image.good && !defective) escapes++;
    if (!image.good && verdict.label === kinds.indexOf(image.kind) + 1) named++;
    for (const { label, anomalyScore: score, ...region } of verdict.regions)
      if (label !== undefined) boxes.push({ ...region, image: index, label, score });
    const mask = image.maskPath ? await readMask(image.maskPath) : undefined;
    if (mask) maps.push({ map: verdict.map, ...mask });
    else if (image.good) maps.push({ map: verdict.map, width: verdict.width, height: verdict.height });
    report?.(`inspecting ${index + 1}/${images.length}`);
  }
  await inspector.dispose();
  return { good, defect, falseAlarms, escapes, named, milliseconds, stages, maps, boxes };
}

/**
 * Trains on the folder's good images (with `boxes`, on its annotated ones too) and measures the model on its test images.
 * @throws CommandError in words for a wrong folder, algorithm or parameter; AppError for a network; VisionError from the engine
 */
export async function evaluateFolder(options: EvaluateOptions): Promise<EvaluationReport> {
  const { algorithm, values: params } = parseAlgorithmOptions(options.algorithm, options.params);
  const images = await readEvaluationImages(options);
  const catalogue = createBackboneCatalogue(checkFolder(options.backbonesFolder));
  const backbone = await catalogue.getBackbone(String(params['backbone'] ?? 'kensa'));
  const trained = await train(algorithm, params, images.train, backbone, options);
  const tested = await test(trained.model, backbone, images, options);
  // `auto` is told by the name of the network that it stands for here: figures differ between networks.
  return evaluationReport(images, algorithm.id, { ...params, backbone: backbone.id }, trained, tested);
}
