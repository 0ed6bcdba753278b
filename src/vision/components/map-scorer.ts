import type { PatchFeatures } from '../features/patch-extractor.ts';
import { highestScore, inspectMap } from '../heatmaps/inspected-map.ts';
import { NO_MARGINS } from '../inspection/parse-ignore-outer.ts';
import type { ScoreMap } from '../types.ts';
import type { TrainingPatches } from './extract-training-patches.ts';

/** What has been learned of good images, ready to judge the features of others. */
export interface MapScorer {
  score(features: PatchFeatures): Promise<ScoreMap>;
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

/** Learns from some images and opens the result. */
export type ScorerBuilder = (images: readonly TrainingPatches[]) => Promise<MapScorer>;

/**
 * For each image its score by a scorer that learned from the other folds' images; NaN where its patches were not kept.
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
    const scored = fold.filter((index) => images[index]?.features !== undefined);
    if (scored.length === 0) continue;
    const scorer = await buildScorer(images.filter((_, index) => !out.has(index)));
    for (const index of scored) {
      const image = images[index];
      if (image?.features) scores[index] = await scoreImage({ frame: image.frame, features: image.features }, scorer);
    }
    await scorer.dispose();
  }
  return scores;
}
