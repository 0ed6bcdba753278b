import { openResidualScorer } from '../../components/residual-scorer.ts';
import { openPatchExtractor } from '../../features/patch-extractor.ts';
import type { BackboneFile, Predictor } from '../../types.ts';
import { decodeSubspace } from './codec.ts';

/** @throws VisionError `invalid_model`, `invalid_backbone` */
export async function openSubspace(payload: Uint8Array, backbone: BackboneFile): Promise<Predictor> {
  const state = decodeSubspace(payload);
  const scorer = await openResidualScorer(state, state.smoothing);
  const extractor = await openPatchExtractor(backbone, state.layout);
  return {
    async predict({ image }) {
      return { map: await scorer.score(await extractor.extract(image)) };
    },
    async dispose() {
      await scorer.dispose();
      await extractor.dispose();
    },
  };
}
