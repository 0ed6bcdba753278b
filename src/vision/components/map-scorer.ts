import type { PatchFeatures } from '../features/patch-extractor.ts';
import { highestScore, inspectMap } from '../heatmaps/inspected-map.ts';
import { NO_MARGINS } from '../inspection/parse-ignore-outer.ts';
import type { ScoreMap } from '../types.ts';
import { throwIfCancelled } from '../vision-error.ts';
import type { TrainingPatches } from './extract-training-patches.ts';

/** What has been learned of good images, ready to judge the features of others. */
export interface MapScorer {
  score(features: PatchFeatures): Promise<ScoreMap>;
  dispose(): Promise<void>;
}

/** What has been learned of good images, without one of them at a time. */
export interface LeftOutScorer {
  /** undefined where nothing would remain. */
  score(features: PatchFeatures, itemId: string): Promise<ScoreMap | undefined>;
  dispose(): Promise<void>;
}

/** An image with all its patches. */
export type ScorableImage = Pick<TrainingPatches, 'frame'> & { readonly features: PatchFeatures };

/** Raw score of the image, exactly as a prediction would give it. */
export async function scoreImage({ features, frame }: ScorableImage, scorer: MapScorer): Promise<number> {
  return highestScore(inspectMap(await scorer.score(features), frame, NO_MARGINS));
}

/** Raw scores of the images; closes the scorer. */
export async function scoreImages(images: readonly ScorableImage[], scorer: MapScorer): Promise<number[]> {
  try {
    const scores: number[] = [];
    for (const image of images) scores.push(await scoreImage(image, scorer));
    return scores;
  } finally {
    await scorer.dispose();
  }
}

/**
 * For each image whose patches were kept its score by what was learned of other items, NaN for others; closes the scorer.
 * @throws VisionError `cancelled`
 */
export async function leftOutScores(
  images: readonly TrainingPatches[],
  scorer: LeftOutScorer,
  signal: AbortSignal,
): Promise<number[]> {
  try {
    const scores: number[] = [];
    for (const { features, frame, sample } of images) {
      throwIfCancelled(signal);
      const map = features && (await scorer.score(features, sample.itemId));
      scores.push(map ? highestScore(inspectMap(map, frame, NO_MARGINS)) : Number.NaN);
    }
    return scores;
  } finally {
    await scorer.dispose();
  }
}

/** Learns from some images and opens the result. */
export type ScorerBuilder = (images: readonly TrainingPatches[]) => Promise<MapScorer>;

/**
 * For each image whose grid was kept its score by a scorer that learned from the other folds' images, NaN for others.
 * @param folds indices of the images that each fold holds out
 */
export async function heldOutScores(
  images: readonly TrainingPatches[],
  folds: readonly (readonly number[])[],
  buildScorer: ScorerBuilder,
): Promise<number[]> {
  const scores = new Array<number>(images.length).fill(Number.NaN);
  for (const fold of folds) {
    const out = new Set(fold);
    if (!fold.some((index) => images[index]?.features)) continue;
    const scorer = await buildScorer(images.filter((_, index) => !out.has(index)));
    for (const index of fold) {
      const { features, frame } = images[index] ?? {};
      if (features && frame) scores[index] = await scoreImage({ frame, features }, scorer);
    }
    await scorer.dispose();
  }
  return scores;
}
