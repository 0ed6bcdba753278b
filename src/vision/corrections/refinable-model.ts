import type { MeasuredPatches, PatchMeasure } from '../anomaly-map/map-scorer.ts';
import type { InputLayout } from '../backbone/input-layout.ts';
import { openPatchExtractor } from '../backbone/patch-extractor.ts';
import { resizeImage } from '../image/resize-image.ts';
import type { Matrix } from '../math/matrix.ts';
import type { BackboneFile, Picture, Predictor } from '../types.ts';
import { openCorrectedScorer } from './corrected-scorer.ts';
import { type CorrectionPatches, hasCorrections } from './correction-patches.ts';

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
  encode(corrections: CorrectionPatches): Uint8Array;
  dispose(): Promise<void>;
}

/** A decoded model that compares patches with one measure. */
export interface PatchModel extends RefinableState, Pick<RefinableModel, 'canHoldOut' | 'encode'> {
  readonly layout: InputLayout;
  /** [dims, axes], applied to every patch where given. */
  readonly projection?: Matrix;
  /** @param withFeatures whether `measure` also gives the features that patches are compared by */
  openMeasure(withFeatures: boolean, threads: number): Promise<PatchMeasure>;
}

async function openRefinable(
  { smoothing, corrections, canHoldOut, encode, ...model }: PatchModel,
  backbone: BackboneFile,
  threads = 1,
  withFeatures = true,
): Promise<RefinableModel> {
  const measure = await model.openMeasure(withFeatures, threads);
  const extractor = await openPatchExtractor(backbone, model.layout, model.projection, threads);
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

async function openPredictor(model: PatchModel, backbone: BackboneFile): Promise<Predictor> {
  const opened = await openRefinable(model, backbone, 1, hasCorrections(model.corrections));
  const scorer = await openCorrectedScorer(model.corrections, model.smoothing);
  return {
    async predict({ image }) {
      const canvas = await resizeImage(image, model.layout.canvasWidth, model.layout.canvasHeight);
      const { map } = await scorer.score(await opened.measure(canvas, false));
      return { map, canvas };
    },
    async dispose() {
      await scorer.dispose();
      await opened.dispose();
    },
  };
}

/** How a service opens models that are decoded so. Both throw VisionError `invalid_model` and `invalid_backbone`. */
export const openersOf = (decode: (payload: Uint8Array) => PatchModel) => ({
  open: (payload: Uint8Array, backbone: BackboneFile) => openPredictor(decode(payload), backbone),
  openRefinable: (payload: Uint8Array, backbone: BackboneFile, threads?: number) =>
    openRefinable(decode(payload), backbone, threads),
});
