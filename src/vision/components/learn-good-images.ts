import type { PatchExtractor } from '../features/patch-extractor.ts';
import { cropImage } from '../image/crop-image.ts';
import { sampleIndices } from '../math/sample-indices.ts';
import { conformalThreshold, smallSampleRemark } from '../thresholds/conformal-threshold.ts';
import { findOutliers } from '../thresholds/find-outliers.ts';
import { heldOutFolds } from '../thresholds/held-out-folds.ts';
import { supervisedThreshold } from '../thresholds/supervised-threshold.ts';
import type { FitInput, FitResult, TrainingSample } from '../types.ts';
import { throwIfCancelled, VisionError } from '../vision-error.ts';
import { openBankScorer } from './bank-scorer.ts';
import { type ExtractionOptions, extractTrainingPatches, type TrainingPatches } from './extract-training-patches.ts';
import { heldOutScores, type MapScorer, type ScorableImage, scoreImage, scoreImages } from './map-scorer.ts';
import { stackRows } from './open-patch-source.ts';
import { takeRows } from './select-coreset.ts';

/** A memory of random patches, in which few bad ones weigh little, judges which images are odd. */
const GUARD_NEIGHBOURS = 3;
const GUARD_BANK = 1000;
/** How much farther another item lies than a shifted photo of the same one: chosen on one product, bottle. */
const OTHER_ITEM = 1.25;
/** Fractions of the whole training at which its parts begin. */
const [FEATURES, ODD, LEARN, HOLD_OUT] = [0.1, 0.7, 0.76, 0.82];

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
}

export interface LearnedGood<State> extends Omit<FitResult, 'payload'> {
  readonly state: State;
}

const foldsOf = (images: readonly TrainingPatches[], { random }: FitInput): number[][] =>
  heldOutFolds(
    images.map(({ sample }) => sample.itemId),
    random,
  );

/** @throws VisionError `too_few_images` without any */
export function goodSamples({ samples }: FitInput): TrainingSample[] {
  const good = samples.filter((sample) => sample.good);
  if (good.length > 0) return good;
  throw new VisionError('too_few_images', 'There is no good image to learn from; add at least one, better thirty.');
}

async function openGuard(
  images: readonly TrainingPatches[],
  { random, threads }: FitInput,
  { smoothing }: { smoothing: number },
): Promise<MapScorer> {
  const candidates = stackRows(images.map((image) => image.candidates));
  const bank = takeRows(candidates, sampleIndices(candidates.rows, GUARD_BANK, random));
  return openBankScorer(bank, { neighbours: GUARD_NEIGHBOURS, smoothing, threads: threads ?? 1 });
}

/** Good images apart from those that look unlike all others. */
async function dropOutliers(
  images: readonly TrainingPatches[],
  input: FitInput,
  learner: GoodCollecting,
): Promise<GoodImages> {
  if (!learner.dropOutliers) return { kept: images, leftOut: [] };
  const buildGuard = (others: readonly TrainingPatches[]) => openGuard(others, input, learner);
  const heldOut = await heldOutScores(images, foldsOf(images, input), buildGuard);
  const scores = heldOut.map((score, index) => images[index]?.judged ?? score);
  const known = scores.flatMap((score, index) => (Number.isNaN(score) ? [] : [index]));
  const odd = findOutliers(known.map((index) => scores[index] ?? 0)).map((position) => known[position] ?? -1);
  return {
    kept: images.filter((_, index) => !odd.includes(index)),
    leftOut: odd.flatMap((index) => images[index]?.sample.name ?? []),
  };
}

/** A single item cannot be held out: cut-outs of it, shifted by a few pixels, stand in for other photos. */
async function shiftedCopies(image: TrainingPatches, extractor: PatchExtractor): Promise<ScorableImage[]> {
  const { image: whole } = await image.sample.load();
  const [dx, dy] = [Math.ceil(whole.width / 50), Math.ceil(whole.height / 50)];
  const copies: ScorableImage[] = [];
  if (whole.width <= 2 * dx || whole.height <= 2 * dy) return copies;
  for (const left of [0, dx])
    for (const top of [0, dy]) {
      const part = cropImage(whole, left, top, whole.width - dx, whole.height - dy);
      copies.push({ frame: image.frame, features: await extractor.extract(part) });
    }
  return copies;
}

/** Scores of good images by what was learned from the others. */
export async function goodScoresOf<State>(
  images: readonly TrainingPatches[],
  input: FitInput,
  { learn, openScorer, extractor }: GoodLearner<State>,
): Promise<number[]> {
  const buildScorer = async (others: readonly TrainingPatches[]): Promise<MapScorer> => {
    throwIfCancelled(input.signal);
    return openScorer(await learn(others));
  };
  const folds = foldsOf(images, input);
  const [first] = images;
  if (folds.length === 0 && first) {
    const scores = await scoreImages(await shiftedCopies(first, extractor), await buildScorer(images));
    return scores.map((score) => score * OTHER_ITEM);
  }
  const scores = await heldOutScores(images, folds, buildScorer);
  return scores.filter((score) => !Number.isNaN(score));
}

/** Scores of the NG samples; closes the scorer. */
export async function defectScoresOf(input: FitInput, extractor: PatchExtractor, scorer: MapScorer): Promise<number[]> {
  const scores: number[] = [];
  try {
    for (const sample of input.samples.filter(({ good }) => !good)) {
      throwIfCancelled(input.signal);
      const { image, ...frame } = await sample.load();
      const features = await extractor.extract(image);
      scores.push(await scoreImage({ frame: { ...frame, image }, features }, scorer));
    }
    return scores;
  } finally {
    await scorer.dispose();
  }
}

export interface GoodImages {
  readonly kept: readonly TrainingPatches[];
  readonly leftOut: readonly string[];
}

/**
 * The good samples' patches, without the images that look unlike all others.
 * @throws VisionError `too_few_images` without a good image, `cancelled`, and what the samples' `load` throws
 */
export async function collectGoodImages(input: FitInput, collecting: GoodCollecting): Promise<GoodImages> {
  const { random, signal, report } = input;
  const { extractor, candidates, rotations, flips } = collecting;
  let guard: MapScorer | undefined;
  const judge: ExtractionOptions['judge'] = async (image, others) => {
    guard ??= await openGuard(others, input, collecting);
    return scoreImage(image, guard);
  };
  const images = await extractTrainingPatches(goodSamples(input), extractor, {
    ...{ candidates, rotations, flips, random, signal },
    ...(collecting.dropOutliers ? { judge } : {}),
    report: (done, total) => {
      const fraction = FEATURES + (ODD - FEATURES) * (done / total);
      report({ fraction, text: `extracting features ${done}/${total}` });
    },
  }).finally(() => guard?.dispose());
  report({ fraction: ODD, text: 'looking for odd images' });
  return dropOutliers(images, input, collecting);
}

/**
 * Learns from the good samples without those that look unlike all others, and calibrates the threshold by scores of
 * images that were held out (and of the NG samples, where there are any).
 * @throws VisionError `too_few_images` without a good image, `cancelled`, and what the samples' `load` throws
 */
export async function learnGoodImages<State>(
  input: FitInput,
  learner: GoodLearner<State>,
): Promise<LearnedGood<State>> {
  const { kept, leftOut } = await collectGoodImages(input, learner);
  input.report({ fraction: LEARN, text: 'learning what good looks like' });
  const state = await learner.learn(kept);
  input.report({ fraction: HOLD_OUT, text: 'scoring images that the model has not seen' });
  const goodScores = await goodScoresOf(kept, input, learner);
  const defectScores = await defectScoresOf(input, learner.extractor, await learner.openScorer(state));
  const { falseAlarmRate } = learner;
  const fromGood = conformalThreshold(goodScores, falseAlarmRate);
  const rawThreshold = supervisedThreshold(goodScores, defectScores, fromGood);
  const remark = smallSampleRemark(new Set(kept.map(({ sample }) => sample.itemId)).size, falseAlarmRate);
  return { state, calibration: { rawThreshold, goodScores, defectScores }, leftOut, remarks: remark ? [remark] : [] };
}
