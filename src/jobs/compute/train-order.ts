import { findAlgorithm } from '../../vision/algorithms/catalogue.ts';
import { decodeImage } from '../../vision/image/decode-image.ts';
import { createRandom } from '../../vision/math/random.ts';
import { decodeModel, encodeModel } from '../../vision/model-file/model-file.ts';
import { compileSteps, type Preprocess } from '../../vision/preprocess/compile-steps.ts';
import { refineModel } from '../../vision/refining/refine-model.ts';
import type { FitProgress } from '../../vision/training/fit-input.ts';
import { trainModel } from '../../vision/training/train-model.ts';
import type { PreparedImage, TrainingSample } from '../../vision/types.ts';
import { VisionError } from '../../vision/vision-error.ts';
import type { RefineOrder, TrainingOrder, TrainingOutcome } from './training-messages.ts';
import { trainingThreads, withTrainingThreads } from './training-threads.ts';

export interface OrderContext {
  /** The file of `samples[index]`. */
  loadImage(index: number): Promise<Uint8Array>;
  readonly signal: AbortSignal;
  report(progress: FitProgress): void;
}

/** @throws VisionError that names the image where it is at fault: there may be a thousand of them */
async function load(
  name: string,
  index: number,
  preprocess: Preprocess,
  context: OrderContext,
): Promise<PreparedImage> {
  const bytes = await context.loadImage(index);
  try {
    return await preprocess(await decodeImage(bytes));
  } catch (error) {
    throw error instanceof VisionError ? new VisionError(error.code, `"${name}": ${error.message}`) : error;
  }
}

/** Puts together what the engine needs to train. @throws VisionError */
export async function trainOrder(order: TrainingOrder, context: OrderContext): Promise<TrainingOutcome> {
  const algorithm = findAlgorithm(order.algorithmId);
  if (!algorithm) throw new VisionError('invalid_value', `This release has no algorithm "${order.algorithmId}".`);
  const preprocess = await compileSteps(order.steps, new Map(Object.entries(order.references)));
  const samples = order.samples.map(
    (sample, index): TrainingSample => ({ ...sample, load: () => load(sample.name, index, preprocess, context) }),
  );
  const trained = await withTrainingThreads((threads) =>
    trainModel({
      ...threads,
      algorithm,
      samples,
      params: order.parameterValues,
      random: createRandom(order.seed),
      backbone: order.backbone,
      preprocessing: { steps: order.steps, references: order.references },
      signal: context.signal,
      report: context.report,
    }),
  );
  const { calibration, statistics, leftOut, doubtful, remarks } = trained;
  return { modelFile: encodeModel(trained), calibration, statistics, leftOut, doubtful, remarks };
}

/** Puts together what the engine needs to refine. @throws VisionError */
export async function refineOrder(order: RefineOrder, context: OrderContext): Promise<TrainingOutcome> {
  const model = decodeModel(order.modelFile);
  const { steps, references } = model.preprocessing;
  const preprocess = await compileSteps(steps, new Map(Object.entries(references)));
  const refined = await refineModel({
    model,
    backbone: order.backbone,
    samples: order.samples.map((sample, index) => ({
      ...sample,
      load: () => load(sample.name, index, preprocess, context),
    })),
    options: order.options,
    threads: trainingThreads,
    signal: context.signal,
    report: context.report,
  });
  const { calibration, statistics, remarks } = refined;
  return { modelFile: encodeModel(refined), calibration, statistics, leftOut: [], doubtful: [], remarks };
}
