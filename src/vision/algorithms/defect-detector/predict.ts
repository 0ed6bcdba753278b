import { openBankScorer } from '../../components/bank-scorer.ts';
import { openPatchExtractor } from '../../features/patch-extractor.ts';
import type { BackboneFile, Predictor } from '../../types.ts';
import { decodeDefectDetector } from './codec.ts';
import { openCellFinder } from './detector-network.ts';
import { describeImage, judgeImage } from './judge-image.ts';

/** @throws VisionError `invalid_model`, `invalid_backbone` */
export async function openDefectDetector(payload: Uint8Array, backbone: BackboneFile): Promise<Predictor> {
  const { layout, projection, bank, detector, labels, limits, smoothing } = decodeDefectDetector(payload);
  const extractor = await openPatchExtractor(backbone, layout, projection);
  const scorer = await openBankScorer(bank, { neighbours: 1, smoothing });
  const finder = await openCellFinder(detector);
  return {
    async predict(prepared) {
      const features = await extractor.extract(prepared.image);
      return describeImage(await judgeImage(features, prepared, { scorer, finder }), prepared, labels, limits);
    },
    async dispose() {
      await finder.dispose();
      await scorer.dispose();
      await extractor.dispose();
    },
  };
}
