import type { MeasuredPatches } from '../../anomaly-map/patch-measure.ts';
import { openPatchExtractor } from '../../backbone/patch-extractor.ts';
import { openCorrectedScorer } from '../../corrections/corrected-scorer.ts';
import type { RefinableModel } from '../../corrections/refinable-model.ts';
import { pixelsOf } from '../../image/decode-image.ts';
import { openBankMeasure } from '../../memory-bank/bank-measure.ts';
import type { BackboneFile, Predictor, RgbImage } from '../../types.ts';
import { type DefectDetectorState, decodeDefectDetector, encodeDefectDetector } from './codec.ts';
import { describeImage } from './describe-image.ts';
import { openCellPredictor } from './detector-network.ts';
import { defectProbabilities, networkScoresOn, suppressCells } from './network-cells.ts';

/** The two views of an image: distances of its patches from good ones, and the network's cells. */
async function openViews(state: DefectDetectorState, backbone: BackboneFile, threads?: number) {
  const extractor = await openPatchExtractor(backbone, state.layout, state.projection, threads);
  const bank = await openBankMeasure(state, 1, threads);
  const network = await openCellPredictor(state.detector, threads);
  return {
    network,
    /** Patches whose raw scores are parts of the threshold of distances. */
    async measure(image: RgbImage, heldOut: boolean): Promise<MeasuredPatches> {
      const patches = await bank.measure(await extractor.extract(image), heldOut);
      return { ...patches, factors: new Float64Array(patches.distances.length).fill(1 / state.limits.distance) };
    },
    async dispose() {
      await network.dispose();
      await bank.dispose();
      await extractor.dispose();
    },
  };
}

/** @throws VisionError `invalid_model`, `invalid_backbone` */
export async function openDefectDetector(payload: Uint8Array, backbone: BackboneFile): Promise<Predictor> {
  const state = decodeDefectDetector(payload);
  const views = await openViews(state, backbone);
  const scorer = await openCorrectedScorer(state.corrections, state.smoothing);
  return {
    async predict(undecoded) {
      // Both networks need its pixels.
      const prepared = { ...undecoded, image: await pixelsOf(undecoded.image) };
      const patches = await views.measure(prepared.image, false);
      const scores = await scorer.score(patches);
      const cells = suppressCells(await views.network.predict(prepared.image), patches, scores.suppressed);
      return describeImage(cells, scores, prepared, state);
    },
    async dispose() {
      await scorer.dispose();
      await views.dispose();
    },
  };
}

/** @throws VisionError `invalid_model`, `invalid_backbone` */
export async function openRefinableDetector(
  payload: Uint8Array,
  backbone: BackboneFile,
  threads?: number,
): Promise<RefinableModel> {
  const state = decodeDefectDetector(payload);
  const { limits, smoothing, corrections } = state;
  const views = await openViews(state, backbone, threads);
  return {
    smoothing,
    corrections,
    canHoldOut: true,
    // Regions of no known class begin at the threshold. What the network says of its own training images is no evidence.
    minThreshold: 1,
    keepsCalibration: true,
    async measure(picture, heldOut) {
      const image = await pixelsOf(picture);
      const patches = await views.measure(image, heldOut);
      if (heldOut) return patches;
      const probabilities = defectProbabilities(await views.network.predict(image));
      return { ...patches, networkScores: networkScoresOn(patches, probabilities, limits.probability) };
    },
    encode: (changed) => encodeDefectDetector({ ...state, corrections: changed }),
    dispose: views.dispose,
  };
}
