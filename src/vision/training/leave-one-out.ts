import { inspectedScore } from '../anomaly-map/inspected-map.ts';
import { type LeftOutScorer, type MapScorer, type ScorableImage, scoreImage } from '../anomaly-map/map-scorer.ts';
import { prefetch } from '../onnx/prefetch.ts';
import { throwIfCancelled } from '../vision-error.ts';
import type { TrainingPatches } from './extract-training-patches.ts';
import { patchesOf } from './kept-grid.ts';

/** An image whose patches were kept. */
export const keptImage = ({
  grid,
  inspection,
}: Pick<TrainingPatches, 'grid' | 'inspection'>): ScorableImage | undefined =>
  grid && { features: patchesOf(grid), inspection };

/** What the memory of other items says of each image. */
export interface LeftOutJudgement {
  /** Raw scores, NaN for images whose patches were not kept. */
  readonly scores: readonly number[];
  /** Mean distances of the candidates: how strange an image is on the whole, where the score tells of its strangest place. */
  readonly means: readonly number[];
}

/**
 * Each image judged by what was learned of other items; closes the scorer.
 * @throws VisionError `cancelled`
 */
export async function judgeLeftOut(
  images: readonly TrainingPatches[],
  scorer: LeftOutScorer,
  signal: AbortSignal,
): Promise<LeftOutJudgement> {
  const scores: number[] = [];
  const means: number[] = [];
  try {
    const judged = prefetch(images, async ({ sample, candidates, ...patches }) => {
      throwIfCancelled(signal);
      const image = keptImage(patches);
      const map = image && (await scorer.score(image.features, sample.itemId));
      const score = map ? inspectedScore(map, image.inspection) : Number.NaN;
      return { score, mean: (await scorer.meanDistance(candidates, sample.itemId)) ?? Number.NaN };
    });
    for await (const { score, mean } of judged) {
      scores.push(score);
      means.push(mean);
    }
    return { scores, means };
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
    if (!fold.some((index) => images[index]?.grid)) continue;
    const scorer = await buildScorer(images.filter((_, index) => !out.has(index)));
    for (const index of fold) {
      const image = keptImage(images[index] ?? {});
      if (image) scores[index] = await scoreImage(image, scorer);
    }
    await scorer.dispose();
  }
  return scores;
}
