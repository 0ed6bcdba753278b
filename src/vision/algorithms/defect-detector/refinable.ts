import { openPatchExtractor } from '../../backbone/patch-extractor.ts';
import type { RefinableModel } from '../../corrections/refinable-model.ts';
import { pixelsOf } from '../../image/decode-image.ts';
import { openBankMeasure } from '../../memory-bank/bank-measure.ts';
import type { BackboneFile } from '../../types.ts';
import { alarmsOn } from './alarm-cells.ts';
import { decodeDefectDetector, encodeDefectDetector } from './codec.ts';
import { openCellFinder } from './detector-network.ts';
import { heatOf } from './judge-image.ts';
import { partsOfLimit } from './parts-of-limit.ts';

/** @throws VisionError `invalid_model`, `invalid_backbone` */
export async function openRefinableDetector(
  payload: Uint8Array,
  backbone: BackboneFile,
  threads = 1,
): Promise<RefinableModel> {
  const state = decodeDefectDetector(payload);
  const { limits, smoothing, corrections } = state;
  const extractor = await openPatchExtractor(backbone, state.layout, state.projection, threads);
  const measure = await openBankMeasure(state, 1, threads);
  const finder = await openCellFinder(state.detector, threads);
  return {
    ...{ smoothing, corrections },
    canHoldOut: true,
    // Regions of no known class begin at the limit; and what the network says of its own training images is no evidence.
    ...{ minThreshold: 1, keepsCalibration: true },
    async measure(picture, heldOut) {
      const image = await pixelsOf(picture);
      const patches = partsOfLimit(await measure.measure(await extractor.extract(image), heldOut), limits);
      if (heldOut) return patches;
      return { ...patches, networkScores: alarmsOn(patches, heatOf(await finder.find(image)), limits.probability) };
    },
    encode: (learned) => encodeDefectDetector({ ...state, corrections: learned }),
    async dispose() {
      await finder.dispose();
      await measure.dispose();
      await extractor.dispose();
    },
  };
}
