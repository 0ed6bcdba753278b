import type { MeasuredPatches, PatchMeasure } from '../anomaly-map/patch-measure.ts';
import type { PatchExtractor } from '../backbone/patch-extractor.ts';
import type { Picture, Predictor } from '../types.ts';
import { openCorrectedScorer } from './corrected-scorer.ts';
import type { CorrectionPatches } from './correction-patches.ts';

/** What every algorithm's trained state has. */
export interface RefinableState {
  /** Standard deviation of the map's blur, in cells. */
  readonly smoothing: number;
  readonly corrections: CorrectionPatches;
}

/** An open model that can be refined: corrected by single patches, without a training. */
export interface RefinableModel extends RefinableState {
  /**
   * Whether `measure` can hold out all that was learned from an image. Otherwise such an image is nearer to the good
   * patches than an image that the model has not seen.
   */
  readonly canHoldOut: boolean;
  /** Raw threshold from which on distances count; absent: they always count. */
  readonly minThreshold?: number;
  /** The calibration stays that of the training: scores of known images say nothing about unseen ones. */
  readonly keepsCalibration?: boolean;
  /**
   * The image's patches without corrections.
   * @param heldOut as if the model had not learned from this image, as far as the model can tell
   */
  measure(image: Picture, heldOut: boolean): Promise<MeasuredPatches>;
  /** The model's payload with these corrections. */
  encode(corrections: CorrectionPatches): Uint8Array;
  dispose(): Promise<void>;
}

/** A model of which the patches are compared with one measure; `dispose` closes extractor and measure. */
export function refinableModel(
  extractor: PatchExtractor,
  measure: PatchMeasure,
  { smoothing, corrections, canHoldOut, encode }: Omit<RefinableModel, 'measure' | 'dispose'>,
): RefinableModel {
  return {
    smoothing,
    corrections,
    canHoldOut,
    encode,
    measure: async (image, heldOut) => measure.measure(await extractor.extract(image), heldOut),
    async dispose() {
      await measure.dispose();
      await extractor.dispose();
    },
  };
}

/** Predicts by distances and corrections; closes the model at the end. */
export async function openPredictor(model: RefinableModel): Promise<Predictor> {
  const scorer = await openCorrectedScorer(model.corrections, model.smoothing);
  return {
    predict: async ({ image }) => ({ map: (await scorer.score(await model.measure(image, false))).map }),
    async dispose() {
      await scorer.dispose();
      await model.dispose();
    },
  };
}
