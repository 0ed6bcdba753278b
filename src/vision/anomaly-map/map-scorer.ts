import type { PatchFeatures } from '../backbone/patch-extractor.ts';
import { gaussianBlur } from '../math/gaussian-blur.ts';
import type { Matrix } from '../math/matrix.ts';
import type { ImageFrame, ScoreMap } from '../types.ts';
import { inspectedScore, inspectionOf } from './inspected-map.ts';

export interface MapScorer {
  score(features: PatchFeatures): Promise<ScoreMap>;
  dispose(): Promise<void>;
}

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

/** Patches of an image as the trained algorithm sees them, without corrections. */
export interface MeasuredPatches {
  readonly rows: number;
  readonly columns: number;
  /** Vectors whose Euclidean distance compares patches. [rows · columns, dims]; no rows unless asked for */
  readonly features: Matrix;
  /** Distance from good patches, in the same units. [rows · columns] */
  readonly distances: Float32Array;
  /** Factors of the smoothed distances; absent: 1. [rows · columns] */
  readonly factors?: Float64Array;
  /** Raw scores of a network beside the distances; absent: none. [rows · columns] */
  readonly networkScores?: Float32Array;
}

/** Measures how far patches are from good ones. Corrections lie in the same feature space. */
export interface PatchMeasure {
  /**
   * @param heldOut omits what was learned from this very image, where the model knows it
   * @throws VisionError `invalid_value` for features of another shape than the model's
   */
  measure(features: PatchFeatures, heldOut: boolean): Promise<MeasuredPatches>;
  dispose(): Promise<void>;
}

/** The map times a factor for each cell. @param factors absent: 1. [rows · columns] */
export const multiplyMap = (map: ScoreMap, factors: ArrayLike<number> | undefined): ScoreMap =>
  factors ? { ...map, data: map.data.map((value, cell) => value * factors[cell]!) } : map;

/** A scorer that smooths the distances of a measure. @param smoothing standard deviation of the blur, in cells */
export const smoothedScorer = ({ measure, dispose }: PatchMeasure, smoothing: number): MapScorer => ({
  async score(features) {
    const { rows, columns, distances, factors } = await measure(features, false);
    return multiplyMap(gaussianBlur({ rows, columns, data: distances }, smoothing), factors);
  },
  dispose,
});
