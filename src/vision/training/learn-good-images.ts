import {
  type LeftOutScorer,
  type MapScorer,
  type ScorableImage,
  scorable,
  scoreImage,
  scoreImages,
} from '../anomaly-map/map-scorer.ts';
import type { PatchExtractor } from '../backbone/patch-extractor.ts';
import { cropImage } from '../image/crop-image.ts';
import { collectGarbage } from '../onnx/collect-garbage.ts';
import { prefetch } from '../onnx/prefetch.ts';
import type { TrainingSample } from '../types.ts';
import { throwIfCancelled, VisionError } from '../vision-error.ts';
import { conformalThreshold, smallSampleRemark } from './conformal-threshold.ts';
import { type ExtractionOptions, extractTrainingPatches, type TrainingPatches } from './extract-training-patches.ts';
import { dropOddImages, type GoodImages, openGuard, withoutOdd } from './find-odd-images.ts';
import type { FitInput, FitResult } from './fit-input.ts';
import { heldOutFolds } from './held-out-folds.ts';
import { heldOutScores, judgeLeftOut } from './leave-one-out.ts';
import { supervisedThreshold } from './supervised-threshold.ts';

export type { GoodImages } from './find-odd-images.ts';

/** How much farther another item lies than a shifted photo of the same one: chosen on one product, bottle. */
const OTHER_ITEM = 1.25;
/** Fractions of the whole training at which its parts begin. */
const [FEATURES, FIRST, SECOND, THIRD] = [0.1, 0.7, 0.76, 0.82];

/** How the good images come to their patches, and which of them count. */
export interface GoodCollecting {
  readonly extractor: PatchExtractor;
  /** Patches of all images together that `learn` may choose from: bounds time and memory. */
  readonly candidates: number;
  readonly rotations: boolean;
  readonly flips: boolean;
  readonly dropOutliers: boolean;
  /** In cells; of the memory that looks for odd images. */
  readonly smoothing: number;
}

/** One way of learning what good images look like. */
export interface GoodLearner<State> extends GoodCollecting {
  readonly falseAlarmRate: number;
  learn(images: readonly TrainingPatches[]): Promise<State>;
  openScorer(state: State): Promise<MapScorer>;
  /** Where the state can be asked without one of its items; absent: it is learned anew for each fold. */
  openLeftOut?(state: State): Promise<LeftOutScorer>;
}

export interface LearnedGood<State> extends Omit<FitResult, 'payload'> {
  readonly state: State;
}

/** @throws VisionError `too_few_images` without any */
export function goodSamples({ samples }: FitInput): TrainingSample[] {
  const good = samples.filter((sample) => sample.good);
  if (good.length > 0) return good;
  throw new VisionError('too_few_images', 'There is no good image to learn from; add at least one, better thirty.');
}

/**
 * A single item cannot be held out: cut-outs of it, shifted by a few pixels, stand in for other photos.
 * @throws VisionError `too_few_images` where it is too small for that
 */
async function shiftedCopies(image: TrainingPatches, extractor: PatchExtractor): Promise<ScorableImage[]> {
  const prepared = await image.sample.load();
  const { image: whole } = prepared;
  const [dx, dy] = [Math.ceil(whole.width / 50), Math.ceil(whole.height / 50)];
  const copies: ScorableImage[] = [];
  if (whole.width <= 2 * dx || whole.height <= 2 * dy)
    throw new VisionError(
      'too_few_images',
      `The only good image is ${whole.width}×${whole.height} pixels when the model sees it, too small to set a threshold by. Add another good item, or crop and resize less.`,
    );
  for (const left of [0, dx])
    for (const top of [0, dy]) {
      const part = cropImage(whole, left, top, whole.width - dx, whole.height - dy);
      copies.push(scorable(await extractor.extract(part), prepared));
    }
  return copies;
}

/** An item's score is the highest of its images'; items with an image of unknown score are left away, if others remain. */
function itemScores(images: readonly { readonly sample: TrainingSample }[], scores: readonly number[]): number[] {
  const highest = new Map<string, number>();
  const partly = new Set<string>();
  images.forEach(({ sample: { itemId } }, index) => {
    const score = scores[index] ?? Number.NaN;
    if (Number.isNaN(score)) partly.add(itemId);
    else highest.set(itemId, Math.max(score, highest.get(itemId) ?? 0));
  });
  const whole = [...highest].filter(([itemId]) => !partly.has(itemId));
  return (whole.length > 0 ? whole : [...highest]).map(([, score]) => score);
}

/** Scores of good items by what was learned from the others, anew for each fold. */
export async function goodScoresOf<State>(
  images: readonly TrainingPatches[],
  input: FitInput,
  { learn, openScorer, extractor }: GoodLearner<State>,
): Promise<number[]> {
  const buildScorer = async (others: readonly TrainingPatches[]): Promise<MapScorer> => {
    throwIfCancelled(input.signal);
    return openScorer(await learn(others));
  };
  const folds = heldOutFolds(
    images.map(({ sample }) => sample.itemId),
    input.random,
  );
  const [first] = images;
  if (folds.length === 0 && first) {
    const scores = await scoreImages(await shiftedCopies(first, extractor), await buildScorer(images));
    return scores.map((score) => score * OTHER_ITEM);
  }
  return itemScores(images, await heldOutScores(images, folds, buildScorer));
}

/** Scores of the NG items by a scorer that is opened where there are any. */
export async function defectScoresOf(
  input: FitInput,
  extractor: PatchExtractor,
  openScorer: () => Promise<MapScorer>,
): Promise<number[]> {
  const samples = input.samples.filter(({ good }) => !good);
  if (samples.length === 0) return [];
  const scorer = await openScorer();
  const scores: number[] = [];
  try {
    const extract = async (sample: TrainingSample) => {
      throwIfCancelled(input.signal);
      const prepared = await sample.load();
      return scorable(await extractor.extract(prepared.image), prepared);
    };
    for await (const image of prefetch(samples, extract, 1)) scores.push(await scoreImage(image, scorer));
    return itemScores(
      samples.map((sample) => ({ sample })),
      scores,
    );
  } finally {
    await scorer.dispose();
  }
}

/** The good samples' patches. @throws VisionError `invalid_value` where the preprocessing leaves none to inspect */
async function collectPatches(input: FitInput, collecting: GoodCollecting): Promise<TrainingPatches[]> {
  const { random, signal, report } = input;
  const { extractor, candidates, rotations, flips, dropOutliers, smoothing } = collecting;
  let guard: MapScorer | undefined;
  const judge: ExtractionOptions['judge'] = async (image, others) => {
    if (!guard) {
      collectGarbage();
      guard = await openGuard(others, input, smoothing);
    }
    return scoreImage(image, guard);
  };
  const images = await extractTrainingPatches(goodSamples(input), extractor, {
    ...{ candidates, rotations, flips, random, signal },
    ...(dropOutliers ? { judge } : {}),
    report: (done, total) => {
      const fraction = FEATURES + (FIRST - FEATURES) * (done / total);
      report({ fraction, text: `extracting features ${done}/${total}` });
    },
  }).finally(() => guard?.dispose());
  // What comes next takes as much memory as the network, which few trainings need again.
  await extractor.rest();
  collectGarbage();
  if (images.some((image) => image.candidates.rows > 0)) return images;
  throw new VisionError(
    'invalid_value',
    'Nothing of the good images is inspected: the preprocessing steps ignore all of each, or leave less than a model can see. Make the masks smaller, or check their unit.',
  );
}

/** Where every image is taken for good, as it is asked. */
const allOf = (images: readonly TrainingPatches[]): GoodImages => ({ kept: images, leftOut: [], doubtful: [] });

/**
 * The good samples' patches, without the images that look unlike all others.
 * @throws VisionError `too_few_images` without a good image, `cancelled`, and what the samples' `load` throws
 */
export async function collectGoodImages(input: FitInput, collecting: GoodCollecting): Promise<GoodImages> {
  const images = await collectPatches(input, collecting);
  input.report({ fraction: FIRST, text: 'looking for odd images' });
  return collecting.dropOutliers ? dropOddImages(images, input, collecting.smoothing) : allOf(images);
}

export interface ScoredGood<State> extends GoodImages {
  readonly state: State;
  /** Of items, by what was learned of others. */
  readonly goodScores: readonly number[];
}

/** Learns from the images that are not odd, and anew for each fold to score them. */
async function learnByFolds<State>(input: FitInput, learner: GoodLearner<State>): Promise<ScoredGood<State>> {
  const good = await collectGoodImages(input, learner);
  input.report({ fraction: SECOND, text: 'learning what good looks like' });
  const state = await learner.learn(good.kept);
  input.report({ fraction: THIRD, text: 'scoring images that the model has not seen' });
  return { ...good, state, goodScores: await goodScoresOf(good.kept, input, learner) };
}

/** Learns from all images and asks what was learned without each of them; learns again only where some are odd. */
async function learnByLeavingOut<State>(
  input: FitInput,
  learner: GoodLearner<State>,
  openLeftOut: NonNullable<GoodLearner<State>['openLeftOut']>,
): Promise<ScoredGood<State>> {
  const images = await collectPatches(input, learner);
  input.report({ fraction: FIRST, text: 'learning what good looks like' });
  const first = await learner.learn(images);
  input.report({ fraction: SECOND, text: 'looking for odd images' });
  const judged = await judgeLeftOut(images, await openLeftOut(first), input.signal);
  const good = learner.dropOutliers ? withoutOdd(images, judged) : allOf(images);
  input.report({ fraction: THIRD, text: 'scoring images that the model has not seen' });
  const isWhole = good.leftOut.length === 0;
  const state = isWhole ? first : await learner.learn(good.kept);
  const { scores } = isWhole ? judged : await judgeLeftOut(good.kept, await openLeftOut(state), input.signal);
  const known = itemScores(good.kept, scores);
  // None where one item gave all that was remembered, being the only one or the others copies of it.
  return { ...good, state, goodScores: known.length > 0 ? known : await goodScoresOf(good.kept, input, learner) };
}

/**
 * Learns from the good samples without those that look unlike all others, and scores each by what was learned of others.
 * @throws VisionError `too_few_images` without a good image, `cancelled`
 */
export function learnScoredGood<State>(input: FitInput, learner: GoodLearner<State>): Promise<ScoredGood<State>> {
  const { openLeftOut } = learner;
  return openLeftOut ? learnByLeavingOut(input, learner, openLeftOut) : learnByFolds(input, learner);
}

/**
 * Learns from the good samples without those that look unlike all others, and calibrates the threshold by scores of
 * items that were held out (and of the NG samples, where there are any).
 * @throws VisionError `too_few_images` without a good image, `cancelled`, and what the samples' `load` throws
 */
export async function learnGoodImages<State>(
  input: FitInput,
  learner: GoodLearner<State>,
): Promise<LearnedGood<State>> {
  const { falseAlarmRate } = learner;
  const { state, kept, leftOut, doubtful, goodScores } = await learnScoredGood(input, learner);
  const defectScores = await defectScoresOf(input, learner.extractor, () => learner.openScorer(state));
  const fromGood = conformalThreshold(goodScores, falseAlarmRate);
  const rawThreshold = supervisedThreshold(goodScores, defectScores, fromGood, falseAlarmRate);
  const remark = smallSampleRemark(new Set(kept.map(({ sample }) => sample.itemId)).size, falseAlarmRate);
  const calibration = { rawThreshold, goodScores, defectScores };
  return { state, calibration, leftOut, doubtful, remarks: remark ? [remark] : [] };
}
