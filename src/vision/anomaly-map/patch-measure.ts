import type { PatchFeatures } from '../backbone/patch-extractor.ts';
import { gaussianBlur } from '../math/gaussian-blur.ts';
import type { Matrix } from '../math/matrix.ts';
import type { MapScorer } from './map-scorer.ts';

/** Patches of an image as the trained algorithm sees them, without corrections. */
export interface MeasuredPatches {
  readonly rows: number;
  readonly columns: number;
  /** What patches are compared by, Euclidean. [rows · columns, dims]; no rows unless asked for */
  readonly features: Matrix;
  /** Distance from what is good, in the same units. [rows · columns] */
  readonly distances: Float32Array;
  /** What the algorithm multiplies the smoothed distances by; absent: 1. [rows · columns] */
  readonly factors?: Float64Array;
  /** Raw scores of a network beside the distances; absent: none. [rows · columns] */
  readonly networkScores?: Float32Array;
}

/** How far patches are from what was learned of good ones, and in which space. Corrections lie in that space too. */
export interface PatchMeasure {
  /**
   * @param heldOut without what was learned from this very image, as far as that can be told
   * @throws VisionError `invalid_value` for features of another shape than the model's
   */
  measure(features: PatchFeatures, heldOut: boolean): Promise<MeasuredPatches>;
  dispose(): Promise<void>;
}

/** Its distances as a map. @param smoothing standard deviation of the blur, in cells */
export const smoothedScorer = ({ measure, dispose }: PatchMeasure, smoothing: number): MapScorer => ({
  async score(features) {
    const { rows, columns, distances } = await measure(features, false);
    return gaussianBlur({ rows, columns, data: distances }, smoothing);
  },
  dispose,
});
