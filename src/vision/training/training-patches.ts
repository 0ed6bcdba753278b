import type { ScorableImage } from '../anomaly-map/map-scorer.ts';
import type { PatchFeatures } from '../backbone/patch-extractor.ts';
import type { UnusableImage } from '../image/unusable-image.ts';
import type { Matrix } from '../math/matrix.ts';
import type { NamedSample, TrainingSample } from '../types.ts';

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
export function keptImage(image: Pick<TrainingPatches, 'featureMap' | 'inspection'>): ScorableImage | undefined {
  return image.featureMap && { features: unpackFeatures(image.featureMap), inspection: image.inspection };
}

export interface GoodImages {
  readonly kept: readonly TrainingPatches[];
  /** The outliers, which are not learned from. */
  readonly outliers: readonly NamedSample[];
  /** Images that are kept although they differ more than most do. */
  readonly doubtful: readonly NamedSample[];
}

/** Patch features in half of their memory, as whole multiples of a step. A value is off by half a step at most. */
export interface FeatureMap16 {
  readonly rows: number;
  readonly columns: number;
  readonly dims: number;
  readonly step: number;
  /** [rows · columns, dims] */
  readonly steps: Int16Array;
}

const MOST_STEPS = 32_767;

/** A value that is not a number makes the whole map NaN, rather than a patch that looks like any other. */
export function packFeatures({ rows, columns, patches }: PatchFeatures): FeatureMap16 {
  const { data } = patches;
  let largest = 0;
  for (let i = 0; i < data.length; i++) largest = Math.max(largest, Math.abs(data[i]!));
  const step = largest === 0 ? 1 : largest / MOST_STEPS;
  const steps = new Int16Array(data.length);
  for (let i = 0; i < data.length; i++) steps[i] = Math.round(data[i]! / step);
  return { rows, columns, dims: patches.columns, step, steps };
}

export function unpackFeatures({ rows, columns, dims, step, steps }: FeatureMap16): PatchFeatures {
  const data = new Float32Array(steps.length);
  for (let i = 0; i < steps.length; i++) data[i] = steps[i]! * step;
  return { rows, columns, patches: { rows: rows * columns, columns: dims, data } };
}
