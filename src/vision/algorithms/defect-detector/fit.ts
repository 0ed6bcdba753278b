import { highestScore, inspectMap, NO_MARGINS } from '../../anomaly-map/inspected-map.ts';
import { noCorrections } from '../../corrections/correction-patches.ts';
import { say } from '../../engine-messages.ts';
import type { Matrix } from '../../math/matrix.ts';
import { collectGarbage } from '../../onnx/collect-garbage.ts';
import { prefetch } from '../../onnx/prefetch.ts';
import { describeTraining } from '../../training/calibrate.ts';
import { type FitInput, type FitResult, getFlag, getNumber, goodSamples } from '../../training/fit-input.ts';
import { learnBank, learnBankScorer } from '../../training/learn-bank.ts';
import { collectGoodImages, heldOutFolds, scoreByFolds } from '../../training/learn-by-folds.ts';
import { conformalThreshold, supervisedThreshold } from '../../training/thresholds.ts';
import { type TrainingPatches, unpackFeatures } from '../../training/training-patches.ts';
import {
  commonLayout,
  learnProjection,
  type PlainTraining,
  type Training,
  withTraining,
} from '../../training/with-training.ts';
import type { Calibration, ScoreMap, TrainingSample } from '../../types.ts';
import { throwIfCancelled, VisionError } from '../../vision-error.ts';
import { levelOf, networkThreads, openCellPredictor, openLevelExtractor } from './detector-network.ts';
import { measureFeatures } from './feature-scale.ts';
import { encodeDefectDetector, type Limits } from './model.ts';
import { defectProbabilities } from './network-cells.ts';
import { trainNetwork } from './train-network.ts';
import { type CropCollection, collectCrops, fitLayout, labelsOf, type TrainingCrop } from './training-crops.ts';
import { viewsOf } from './views.ts';

const CANDIDATES = 30_000;
/** The backbone, which looks for unknown anomalies only, sees the images at this part of the detector's size. */
const MEMORY_SCALE = 1 / 2;
const LEAST_MEMORY_SIZE = 64;
/** Networks that only set the limits get this part of the steps; there are at most so many of them. */
const [HELD_OUT_STEPS, HELD_OUT_FOLDS] = [3 / 20, 2];
/** Where the second half of the work begins, as fractions of the whole training. */
const [MEMORY, WINDOWS, EVIDENCE, NETWORK] = [0.2, 0.22, 0.28, 0.62];

/** Threshold of probabilities where the NG images do not tell, and the range that it may have. */
const USUAL_PROBABILITY = 0.5;
const MIN_PROBABILITY = 0.05;
const MAX_PROBABILITY = 0.95;

type DetectorTraining = Training<Matrix>;

/** The highest values that a detector found in an image that it had not seen. */
interface HeldOutScore {
  readonly probability: number;
  readonly distance: number;
}

type HeldOutScores = Readonly<Record<'good' | 'defect', readonly HeldOutScore[]>>;

const bankOptions = ({ params }: FitInput) => ({
  size: getNumber(params, 'bank_size'),
  neighbours: 1,
  weighted: false,
  searched: false,
});

const isDefect = ({ label }: TrainingCrop): boolean => label !== undefined;

type CountedProgress = 'progress.fold' | 'progress.windows' | 'progress.classes-counted';

/** A report of a part of the work, from one fraction of the whole to another. */
const within =
  ({ report }: FitInput, from: number, to: number, code: CountedProgress) =>
  (done: number, total: number): void =>
    report({ fraction: from + (to - from) * (done / total), doing: say(code, { done, total }) });

/** Fewer folds than usual: each takes a training. */
function fewFolds(samples: readonly TrainingSample[], { random }: FitInput): number[][] {
  const folds = heldOutFolds(
    samples.map(({ itemId }) => itemId),
    random,
  );
  const joined = Array.from({ length: Math.min(HELD_OUT_FOLDS, folds.length) }, (): number[] => []);
  folds.forEach((fold, index) => {
    joined[index % joined.length]?.push(...fold);
  });
  return joined;
}

/**
 * Cross-validation: scores every image by a detector that was trained on no image of its item. Where there is nothing to
 * hold out, by distances alone.
 */
async function scoreHeldOut(
  training: DetectorTraining,
  collection: CropCollection,
  kept: readonly TrainingPatches[],
  samples: readonly TrainingSample[],
  crops: readonly TrainingCrop[],
): Promise<HeldOutScores> {
  const { extractor, signal } = training;
  const featureMaps = new Map(kept.map(({ sample, featureMap }) => [sample, featureMap]));
  const good: HeldOutScore[] = [];
  const defect: HeldOutScore[] = [];
  const folds = fewFolds(samples, training);
  for (const [number, fold] of folds.entries()) {
    const heldOut = new Set(fold.map((index) => samples[index]!.itemId));
    const seen = samples.filter(({ itemId }) => !heldOut.has(itemId));
    const seenGood = kept.filter(({ sample }) => !heldOut.has(sample.itemId));
    const seenCrops = crops.filter(({ itemId }) => !heldOut.has(itemId));
    if (seenGood.length === 0 || !seenCrops.some(isDefect)) continue;
    const part = (NETWORK - EVIDENCE) / folds.length;
    const from = EVIDENCE + part * number;
    const report = within(training, from, from + part, 'progress.fold');
    const options = { input: training, collection, labels: labelsOf(seen), share: HELD_OUT_STEPS, report };
    const detector = await trainNetwork(seen, seenCrops, options);
    const scorer = await learnBankScorer(seenGood, bankOptions(training), training);
    const network = await openCellPredictor(detector, collection.extractor, networkThreads(training));
    const score = async (index: number) => {
      throwIfCancelled(signal);
      const sample = samples[index]!;
      const prepared = await sample.load();
      const featureMap = featureMaps.get(sample);
      const features = featureMap ? unpackFeatures(featureMap) : await extractor.extract(prepared.image);
      const highest = (map: ScoreMap): number => highestScore(inspectMap(map, prepared, NO_MARGINS));
      const probability = highest(defectProbabilities(await network.predict(prepared.image)));
      const distance = highest(await scorer.score(features));
      return { good: sample.good, probability, distance };
    };
    for await (const { good: isGood, ...highest } of prefetch(fold, score, 1)) {
      collectGarbage({ type: 'minor' });
      (isGood ? good : defect).push(highest);
    }
    await scorer.dispose();
    await network.dispose();
    // The next training needs the memory.
    await extractor.rest();
  }
  if (good.length > 0) return { good, defect };
  const distances = await scoreByFolds(kept, training, (images) =>
    learnBankScorer(images, bankOptions(training), training),
  );
  return { good: distances.map((distance) => ({ probability: 0, distance })), defect: [] };
}

/** Thresholds from held-out scores, and these scores in parts of the thresholds: a raw score of 1 is the threshold. */
function calibrate({ good, defect }: HeldOutScores, falseAlarmRate: number) {
  const probabilities = (scores: readonly HeldOutScore[]): number[] => scores.map(({ probability }) => probability);
  const distances = good.map(({ distance }) => distance);
  const between = supervisedThreshold(probabilities(good), probabilities(defect), USUAL_PROBABILITY);
  const limits: Limits = {
    probability: Math.min(MAX_PROBABILITY, Math.max(MIN_PROBABILITY, between)),
    distance: conformalThreshold(distances, falseAlarmRate),
  };
  const rawScore = ({ probability, distance }: HeldOutScore): number =>
    Math.max(probability / limits.probability, distance / limits.distance);
  const calibration: Calibration = {
    rawThreshold: 1,
    goodScores: good.map(rawScore),
    defectScores: defect.map(rawScore),
  };
  return { limits, calibration };
}

async function fitWith(training: DetectorTraining, all: readonly TrainingSample[]): Promise<FitResult> {
  const { params, random, signal, report, backbone, smoothing } = training;
  const scaled: DetectorTraining = {
    ...training,
    report: ({ fraction, doing }) => report({ fraction: fraction * MEMORY, doing }),
  };
  const good = await collectGoodImages(scaled, { candidates: CANDIDATES, copies: [] });
  const { kept } = good;
  report({ fraction: MEMORY, doing: say('progress.learning') });
  const { bank, sources } = await learnBank(kept, bankOptions(training), training);
  const samples = [...kept.map(({ sample }) => sample), ...all.filter((sample) => !sample.good)];
  const usual = await commonLayout(all, training, getNumber(params, 'image_size'));
  const extractor = await openLevelExtractor(backbone, levelOf(backbone.description), networkThreads(training));
  try {
    const scale = await measureFeatures(samples, usual, extractor, random);
    const layout = await fitLayout(usual, scale.cellSide, samples, random);
    const views = viewsOf({ rotations: getFlag(params, 'rotations'), flips: getFlag(params, 'flips') });
    const collection: CropCollection = { layout, extractor, scale, views, random, signal };
    const crops = await collectCrops(samples, collection, within(training, WINDOWS, EVIDENCE, 'progress.windows'));
    if (!crops.some(isDefect)) throw new VisionError('too_few_images', say('training.no-rectangle-left'));
    const heldOut = await scoreHeldOut(training, collection, kept, samples, crops);
    const { limits, calibration } = calibrate(heldOut, training.falseAlarmRate);
    const labels = labelsOf(samples);
    const learning = within(training, NETWORK, 1, 'progress.classes-counted');
    const options = { input: training, collection, labels, share: 1, report: learning };
    const detector = await trainNetwork(samples, crops, options);
    const memory = { layout: training.layout, projection: training.projection, bank, sources, smoothing };
    const state = { ...memory, corrections: noCorrections(bank.columns), detector, labels, limits };
    return { payload: encodeDefectDetector(state), ...describeTraining(good, calibration, training) };
  } finally {
    await extractor.dispose();
  }
}

/**
 * A convolutional network trained on the annotated rectangles, and a memory of good patches for anomalies of no known
 * class.
 * @throws VisionError `too_few_images` without a good image and an annotated rectangle, `invalid_backbone`, `cancelled`
 */
export async function fitDefectDetector(input: FitInput): Promise<FitResult> {
  const good = goodSamples(input);
  const defects = input.samples.filter((sample) => !sample.good);
  if (!defects.some(({ regions }) => regions.length > 0))
    throw new VisionError('too_few_images', say('training.no-rectangle'));
  const all = [...good, ...defects];
  const options = {
    imageSize: Math.max(LEAST_MEMORY_SIZE, getNumber(input.params, 'image_size') * MEMORY_SCALE),
    learnProjection: (plain: PlainTraining) => learnProjection(all, plain),
  };
  return withTraining(input, all, options, (training) => fitWith(training, all));
}
