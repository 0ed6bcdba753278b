import { say } from '../../messages/message.ts';
import { findAlgorithm } from '../../vision/algorithms/catalogue.ts';
import { decodeImage } from '../../vision/image/decode-image.ts';
import { createRandom } from '../../vision/math/random.ts';
import { decodeModel, encodeModel } from '../../vision/model-file/model-file.ts';
import { compileSteps } from '../../vision/preprocess/compile-steps.ts';
import { refineModel } from '../../vision/refining/refine-model.ts';
import type { FitProgress } from '../../vision/training/fit-input.ts';
import { trainModel } from '../../vision/training/train-model.ts';
import type { PreparedImage } from '../../vision/types.ts';
import { VisionError } from '../../vision/vision-error.ts';
import type { RefineOrder, StepReferences, TrainingImage, TrainingOutcome, TrainOrder } from './messages.ts';
import { trainingThreads, withTrainingThreads } from './training-threads.ts';

export interface OrderContext {
  /** The file of `samples[index]`. */
  loadImage(index: number): Promise<Uint8Array>;
  readonly signal: AbortSignal;
  report(progress: FitProgress): void;
}

/** Trains or refines as the order says. @throws VisionError */
export async function carryOutOrder(order: TrainOrder | RefineOrder, context: OrderContext): Promise<TrainingOutcome> {
  return order.kind === 'train' ? train(order, context) : refine(order, context);
}

async function train(order: TrainOrder, context: OrderContext): Promise<TrainingOutcome> {
  const algorithm = findAlgorithm(order.algorithmId);
  if (!algorithm) throw new VisionError('invalid_value', say('algorithm.unknown', { algorithm: order.algorithmId }));
  const samples = await prepareSamples(order.samples, order, context);
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
  const { calibration, statistics, outliers, doubtful, remarks } = trained;
  return { modelFile: encodeModel(trained), calibration, statistics, outliers, doubtful, remarks };
}

async function refine(order: RefineOrder, context: OrderContext): Promise<TrainingOutcome> {
  const model = decodeModel(order.modelFile);
  const refined = await refineModel({
    model,
    backbone: order.backbone,
    samples: await prepareSamples(order.samples, model.preprocessing, context),
    options: order.options,
    threads: trainingThreads,
    signal: context.signal,
    report: context.report,
  });
  const { calibration, statistics, remarks } = refined;
  return { modelFile: encodeModel(refined), calibration, statistics, outliers: [], doubtful: [], remarks };
}

/** Gives each sample a function that fetches, decodes and preprocesses its image. */
async function prepareSamples<Sample extends TrainingImage>(
  samples: readonly Sample[],
  { steps, references }: { steps: TrainOrder['steps']; references: StepReferences },
  context: OrderContext,
): Promise<(Sample & { load(): Promise<PreparedImage> })[]> {
  const preprocess = await compileSteps(steps, new Map(Object.entries(references)));
  const load = async (name: string, index: number): Promise<PreparedImage> => {
    const bytes = await context.loadImage(index);
    try {
      return await preprocess(await decodeImage(bytes));
    } catch (error) {
      // There may be a thousand images: the error names the one.
      throw error instanceof VisionError
        ? new VisionError(error.code, say('training.image', { name, reason: error.detail }))
        : error;
    }
  };
  return samples.map((sample, index) => ({ ...sample, load: () => load(sample.name, index) }));
}
