import { type MapScorer, type ScorableImage, scorable, scoreImage } from '../anomaly-map/map-scorer.ts';
import type { PatchExtractor } from '../backbone/patch-extractor.ts';
import { say } from '../engine-messages.ts';
import { cropImage } from '../image/arrange-image.ts';
import type { Random, TrainingSample } from '../types.ts';
import { throwIfCancelled, VisionError } from '../vision-error.ts';
import { calibrate, describeTraining, itemScores, scoreDefects } from './calibrate.ts';
import { type ExtractionOptions, extractGoodImages } from './extract-training-patches.ts';
import { type FitResult, LEARNING, OUTLIERS, SCORING } from './fit-input.ts';
import { dropOutliers, keepAll, scoreOutliers } from './outliers.ts';
import { type GoodImages, keptImage, type TrainingPatches } from './training-patches.ts';
import type { Training } from './with-training.ts';

interface FoldLearner<State> {
  learn(images: readonly TrainingPatches[]): Promise<State>;
  openScorer(state: State): Promise<MapScorer>;
}

/** The good samples' patches, without the outliers. Errors as those of `extractGoodImages`. */
export async function collectGoodImages(training: Training, options: ExtractionOptions): Promise<GoodImages> {
  const images = await extractGoodImages(training, options);
  training.report({ fraction: LEARNING, doing: say('progress.outliers') });
  if (!training.dropOutliers) return keepAll(images);
  return dropOutliers(images, await scoreOutliers(images, training));
}

/**
 * Training of an algorithm that cannot forget one image: it learns anew for each fold to score the fold's images.
 * @throws VisionError `too_few_images` without a good image, `cancelled`, and what the samples' `load` throws
 */
export async function learnByFolds<State>(
  training: Training,
  options: ExtractionOptions,
  { learn, openScorer }: FoldLearner<State>,
): Promise<Omit<FitResult, 'payload'> & { readonly state: State }> {
  const { report, falseAlarmRate } = training;
  const good = await collectGoodImages(training, options);
  report({ fraction: OUTLIERS, doing: say('progress.learning') });
  const state = await learn(good.kept);
  report({ fraction: SCORING, doing: say('progress.scoring') });
  const learnScorer = async (others: readonly TrainingPatches[]) => openScorer(await learn(others));
  const goodScores = await scoreByFolds(good.kept, training, learnScorer);
  const defectScores = await scoreDefects(training, () => openScorer(state));
  const calibration = calibrate(goodScores, defectScores, falseAlarmRate);
  return { state, ...describeTraining(good, calibration, training) };
}

/** Up to this many items each is a fold of its own; more are held out in {@link FOLDS} groups. */
const LEAVE_ONE_OUT_LIMIT = 8;
const FOLDS = 5;
/** How much farther another item lies than a shifted image of the same one: chosen on one product, bottle. */
const OTHER_ITEM = 1.25;

/** Indices of the images that each fold holds out, all images of an item together; no fold for fewer than two items. */
export function heldOutFolds(itemIds: readonly string[], random: Random): number[][] {
  const items = [...new Set(itemIds)];
  if (items.length < 2) return [];
  for (let i = items.length - 1; i > 0; i--) {
    const j = random.integer(i + 1);
    [items[i], items[j]] = [items[j]!, items[i]!];
  }
  const count = items.length <= LEAVE_ONE_OUT_LIMIT ? items.length : FOLDS;
  const foldOf = new Map(items.map((item, index) => [item, index % count]));
  const folds = Array.from({ length: count }, (): number[] => []);
  itemIds.forEach((item, index) => {
    folds[foldOf.get(item) ?? 0]?.push(index);
  });
  return folds;
}

/** Cut-outs of a single item, shifted by a few pixels, stand in for others. @throws VisionError `too_few_images` */
async function shiftedCopies(sample: TrainingSample, extractor: PatchExtractor): Promise<ScorableImage[]> {
  const prepared = await sample.load();
  const { width, height } = prepared.image;
  const dx = Math.ceil(width / 50);
  const dy = Math.ceil(height / 50);
  if (width <= 2 * dx || height <= 2 * dy)
    throw new VisionError('too_few_images', say('training.only-image-too-small', { width, height }));
  const copies: ScorableImage[] = [];
  for (const left of [0, dx])
    for (const top of [0, dy]) {
      const part = cropImage(prepared.image, left, top, width - dx, height - dy);
      copies.push(scorable(await extractor.extract(part), prepared));
    }
  return copies;
}

/**
 * Raw scores of good items, each by a scorer that learned from the other folds. A single item is scored by copies.
 * @throws VisionError `cancelled`, `too_few_images` where the only image is too small
 */
export async function scoreByFolds(
  images: readonly TrainingPatches[],
  { random, signal, extractor }: Pick<Training, 'random' | 'signal' | 'extractor'>,
  learn: (images: readonly TrainingPatches[]) => Promise<MapScorer>,
): Promise<number[]> {
  const itemIds = images.map(({ sample }) => sample.itemId);
  const folds = heldOutFolds(itemIds, random);
  const [first] = images;
  if (folds.length === 0 && first) {
    const copies = await shiftedCopies(first.sample, extractor);
    throwIfCancelled(signal);
    const scorer = await learn(images);
    const scores: number[] = [];
    for (const copy of copies) scores.push(OTHER_ITEM * (await scoreImage(copy, scorer)));
    await scorer.dispose();
    return scores;
  }
  const scores = new Array<number>(images.length).fill(Number.NaN);
  for (const fold of folds) {
    const heldOut = new Set(fold);
    if (!fold.some((index) => images[index]?.featureMap)) continue;
    throwIfCancelled(signal);
    const scorer = await learn(images.filter((_, index) => !heldOut.has(index)));
    for (const index of fold) {
      const image = keptImage(images[index]!);
      if (image) scores[index] = await scoreImage(image, scorer);
    }
    await scorer.dispose();
  }
  return itemScores(itemIds, scores);
}
