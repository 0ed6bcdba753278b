import type { PatchFeatures } from '../backbone/patch-extractor.ts';
import { gaussianBlur } from '../math/gaussian-blur.ts';
import type { JudgedPatches } from '../refining/open-taught-scorer.ts';
import type { MapScorer } from './map-scorer.ts';

/** How far patches are from what was learned of good ones, and in which space: what can be taught lies in that space too. */
export interface PatchMeasure {
  /**
   * @param heldOut without what was learned from this very image, as far as that can be told
   * @throws VisionError `invalid_value` for features of another shape than the model's
   */
  measure(features: PatchFeatures, heldOut: boolean): Promise<JudgedPatches>;
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
