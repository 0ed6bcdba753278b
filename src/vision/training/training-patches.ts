import type { ScorableImage } from '../anomaly-map/map-scorer.ts';
import type { UnusableImage } from '../image/unusable-image.ts';
import type { Matrix } from '../math/matrix.ts';
import type { TrainingSample } from '../types.ts';
import { type FeatureMap16, unpackFeatures } from './feature-map-16.ts';

/** What training keeps of an image. */
export interface TrainingPatches {
  readonly sample: TrainingSample;
  /** Some of its patches, also of its rotated and mirrored copies: candidates for the memory bank. */
  readonly candidates: Matrix;
  /** All of its patches, for a score by a model that has not seen it; absent where the budget for them is spent. */
  readonly featureMap?: FeatureMap16;
  /** Why nothing can be learned from the image; absent: it can. */
  readonly unusable?: UnusableImage | undefined;
  /** See {@link ScorableImage}. */
  readonly inspection?: Uint8Array | undefined;
  /** Score by the outlier scorer, of an image whose feature map is not kept. */
  readonly outlierScore?: number;
}

/** An image whose feature map was kept, ready to be scored. */
export const keptImage = ({
  featureMap,
  inspection,
}: Pick<TrainingPatches, 'featureMap' | 'inspection'>): ScorableImage | undefined =>
  featureMap && { features: unpackFeatures(featureMap), inspection };

/** The good images that a model is learned from. */
export interface GoodImages {
  readonly kept: readonly TrainingPatches[];
  /** Names of the outliers, which are not learned from. */
  readonly outliers: readonly string[];
  /** Names of images that are kept although they differ more than most do. */
  readonly doubtful: readonly string[];
}
