import type { PatchFeatures } from '../backbone/patch-extractor.ts';
import type { ImageFrame, ScoreMap } from '../types.ts';
import { inspectedScore, inspectionOf } from './inspected-map.ts';

/** A trained model of good images that scores the features of other images. */
export interface MapScorer {
  score(features: PatchFeatures): Promise<ScoreMap>;
  dispose(): Promise<void>;
}

/** An image with all its patches. */
export interface ScorableImage {
  readonly features: PatchFeatures;
  /** Inspected cells of the map, by `inspectionOf`; absent: all. */
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
