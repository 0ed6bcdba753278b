import { openPatchExtractor } from '../../backbone/patch-extractor.ts';
import { openCorrectedScorer } from '../../corrections/corrected-scorer.ts';
import { pixelsOf } from '../../image/decode-image.ts';
import { openBankMeasure } from '../../memory-bank/bank-measure.ts';
import type { BackboneFile, Predictor } from '../../types.ts';
import { hushCells } from './alarm-cells.ts';
import { decodeDefectDetector } from './codec.ts';
import { openCellFinder } from './detector-network.ts';
import { describeImage, judgeCells } from './judge-image.ts';
import { partsOfLimit } from './parts-of-limit.ts';

/** @throws VisionError `invalid_model`, `invalid_backbone` */
export async function openDefectDetector(payload: Uint8Array, backbone: BackboneFile): Promise<Predictor> {
  const { layout, projection, bank, detector, labels, limits, smoothing, corrections } = decodeDefectDetector(payload);
  const extractor = await openPatchExtractor(backbone, layout, projection);
  const measure = await openBankMeasure({ bank }, 1);
  const scorer = await openCorrectedScorer(corrections, smoothing);
  const finder = await openCellFinder(detector);
  return {
    async predict(undecoded) {
      // Two networks look at its pixels.
      const prepared = { ...undecoded, image: await pixelsOf(undecoded.image) };
      const patches = await measure.measure(await extractor.extract(prepared.image), false);
      const strange = await scorer.score(partsOfLimit(patches, limits));
      const cells = hushCells(await finder.find(prepared.image), patches, strange.suppressed);
      return describeImage(judgeCells(cells, prepared), strange, prepared, labels, limits);
    },
    async dispose() {
      await finder.dispose();
      await scorer.dispose();
      await measure.dispose();
      await extractor.dispose();
    },
  };
}
