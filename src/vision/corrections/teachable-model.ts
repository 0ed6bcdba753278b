import type { JudgedPatches } from '../anomaly-map/patch-measure.ts';
import type { RgbImage } from '../types.ts';
import type { TaughtPatches } from './taught-patches.ts';

/** A trained model in parts, ready to be taught single patches without training again. */
export interface TeachableModel {
  /** Standard deviation of the map's blur, in cells. */
  readonly smoothing: number;
  readonly taught: TaughtPatches;
  /**
   * Whether `judge` can leave out all that was learned from an image. Elsewhere such an image comes nearer to what is
   * good than one that the model has not seen.
   */
  readonly leavesOut: boolean;
  /** Where raw scores that distances come to count from here only, whatever the threshold; absent: they always count. */
  readonly leastLimit?: number;
  /** Scores of known images say nothing of unseen ones: the calibration stays as training found it. */
  readonly keepsCalibration?: boolean;
  /**
   * The image's patches before anything was taught.
   * @param heldOut as if the model had not learned from this image, as far as that can be told
   */
  judge(image: RgbImage, heldOut: boolean): Promise<JudgedPatches>;
  /** The model's payload with other taught patches. */
  encode(taught: TaughtPatches): Uint8Array;
  dispose(): Promise<void>;
}
