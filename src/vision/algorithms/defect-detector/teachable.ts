import { openPatchExtractor } from '../../backbone/patch-extractor.ts';
import type { TeachableModel } from '../../corrections/teachable-model.ts';
import { openBankMeasure } from '../../memory-bank/bank-measure.ts';
import type { BackboneFile, ParameterValues } from '../../types.ts';
import { alarmsOn } from './alarm-cells.ts';
import { decodeDefectDetector, encodeDefectDetector } from './codec.ts';
import { openCellFinder } from './detector-network.ts';
import { heatOf } from './judge-image.ts';
import { partsOfLimit } from './parts-of-limit.ts';

/** @throws VisionError `invalid_model`, `invalid_backbone` */
export async function openTeachableDetector(
  payload: Uint8Array,
  backbone: BackboneFile,
  _params: ParameterValues,
  threads = 1,
): Promise<TeachableModel> {
  const state = decodeDefectDetector(payload);
  const { limits, smoothing, taught } = state;
  const extractor = await openPatchExtractor(backbone, state.layout, state.projection, threads);
  const measure = await openBankMeasure(state, 1, threads);
  const finder = await openCellFinder(state.detector, threads);
  return {
    ...{ smoothing, taught },
    leavesOut: true,
    // Regions of no known class begin at the limit; and what the network says of its own training images is no evidence.
    ...{ leastLimit: 1, keepsCalibration: true },
    async judge(image, heldOut) {
      const patches = partsOfLimit(await measure.measure(await extractor.extract(image), heldOut), limits);
      if (heldOut) return patches;
      return { ...patches, alarms: alarmsOn(patches, heatOf(await finder.find(image)), limits.probability) };
    },
    encode: (learned) => encodeDefectDetector({ ...state, taught: learned }),
    async dispose() {
      await finder.dispose();
      await measure.dispose();
      await extractor.dispose();
    },
  };
}
