import type { PatchFeatures } from '../backbone/patch-extractor.ts';
import type { ImageFrame, ScoreMap } from '../types.ts';
import { inspectedScore, inspectionOf } from './inspected-map.ts';

/** What was learned of good images, ready to score the features of others. */
export interface MapScorer {
  score(features: PatchFeatures): Promise<ScoreMap>;
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
