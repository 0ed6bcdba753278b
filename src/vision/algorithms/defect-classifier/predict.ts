import { openBankScorer } from '../../components/bank-scorer.ts';
import { openPatchNetwork } from '../../components/patch-network.ts';
import { openPatchExtractor } from '../../features/patch-extractor.ts';
import type { BackboneFile, Predictor } from '../../types.ts';
import { decodeDefectClassifier } from './codec.ts';
import { blendMap, judgePatches, likeliestDefect } from './judge-patches.ts';

/** @throws VisionError `invalid_model`, `invalid_backbone` */
export async function openDefectClassifier(payload: Uint8Array, backbone: BackboneFile): Promise<Predictor> {
  const { layout, projection, bank, network, labels, weight, smoothing } = decodeDefectClassifier(payload);
  const scorer = await openBankScorer(bank, { neighbours: 1, smoothing });
  const classifier = await openPatchNetwork(network);
  const extractor = await openPatchExtractor(backbone, layout, projection);
  return {
    async predict({ image }) {
      const judged = await judgePatches(await extractor.extract(image), scorer, classifier);
      const map = blendMap(judged, weight);
      const label = labels[likeliestDefect(map, judged.classes) - 1] ?? null;
      return label === null ? { map } : { map, label };
    },
    async dispose() {
      await scorer.dispose();
      await classifier.dispose();
      await extractor.dispose();
    },
  };
}
