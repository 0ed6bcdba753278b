import { openBankScorer } from '../../components/bank-scorer.ts';
import { openPatchNetwork } from '../../components/patch-network.ts';
import { openPatchExtractor } from '../../features/patch-extractor.ts';
import type { BackboneFile, Predictor } from '../../types.ts';
import { decodeDefectDetector } from './codec.ts';
import { describeImage, judgeImage } from './judge-image.ts';

/** @throws VisionError `invalid_model`, `invalid_backbone` */
export async function openDefectDetector(payload: Uint8Array, backbone: BackboneFile): Promise<Predictor> {
  const { layout, projection, bank, network, labels, limits, smoothing } = decodeDefectDetector(payload);
  const scorer = await openBankScorer(bank, { neighbours: 1, smoothing });
  const classes = await openPatchNetwork(network, 1, labels.length + 1);
  const extractor = await openPatchExtractor(backbone, layout, projection);
  return {
    async predict(prepared) {
      const features = await extractor.extract(prepared.image);
      return describeImage(
        await judgeImage(features, prepared, { scorer, network: classes }),
        prepared,
        labels,
        limits,
      );
    },
    async dispose() {
      await scorer.dispose();
      await classes.dispose();
      await extractor.dispose();
    },
  };
}
