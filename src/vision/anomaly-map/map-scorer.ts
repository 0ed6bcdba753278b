import type { PatchFeatures } from '../backbone/patch-extractor.ts';
import type { Matrix } from '../onnx/open-matrix-product.ts';
import type { TrainingPatches } from '../training/extract-training-patches.ts';
import { patchesOf } from '../training/kept-grid.ts';
import { workAhead, worksOn } from '../training/work-ahead.ts';
import type { ImageFrame, ScoreMap } from '../types.ts';
import { throwIfCancelled } from '../vision-error.ts';
import { inspectedScore, inspectionOf } from './inspected-map.ts';

/** What has been learned of good images, ready to judge the features of others. */
export interface MapScorer {
  score(features: PatchFeatures): Promise<ScoreMap>;
  dispose(): Promise<void>;
}

/** What has been learned of good images, without one of them at a time. */
export interface LeftOutScorer {
  /** undefined where nothing would remain. */
  score(features: PatchFeatures, itemId: string): Promise<ScoreMap | undefined>;
  /** Of some of the item's patches; undefined where nothing would remain. */
  meanDistance(patches: Matrix, itemId: string): Promise<number | undefined>;
  dispose(): Promise<void>;
}

/** An image with all its patches. */
export type ScorableImage = Pick<TrainingPatches, 'inspection'> & { readonly features: PatchFeatures };

export const scorable = (features: PatchFeatures, frame: ImageFrame): ScorableImage => ({
  features,
  inspection: inspectionOf(features, frame),
});

/** An image whose patches were kept. */
export const keptImage = ({
  grid,
  inspection,
}: Pick<TrainingPatches, 'grid' | 'inspection'>): ScorableImage | undefined =>
  grid && { features: patchesOf(grid), inspection };

/** Raw score of the image, exactly as a prediction would give it. */
export async function scoreImage({ features, inspection }: ScorableImage, scorer: MapScorer): Promise<number> {
  return inspectedScore(await scorer.score(features), inspection);
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
    const works = worksOn(images, async ({ sample, candidates, ...patches }) => {
      throwIfCancelled(signal);
      const image = keptImage(patches);
      const map = image && (await scorer.score(image.features, sample.itemId));
      const score = map ? inspectedScore(map, image.inspection) : Number.NaN;
      return { score, mean: (await scorer.meanDistance(candidates, sample.itemId)) ?? Number.NaN };
    });
    for await (const { score, mean } of workAhead(works)) {
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
