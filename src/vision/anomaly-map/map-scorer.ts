import type { PatchFeatures } from '../backbone/patch-extractor.ts';
import type { Matrix } from '../math/matrix.ts';
import type { ImageFrame, ScoreMap } from '../types.ts';
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
export interface ScorableImage {
  readonly features: PatchFeatures;
  /** What counts of their map, as `inspectionOf` says; absent: everything. */
  readonly inspection?: Uint8Array | undefined;
}

export const scorable = (features: PatchFeatures, frame: ImageFrame): ScorableImage => ({
  features,
  inspection: inspectionOf(features, frame),
});

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
