import { openGaussianScorer } from '../../components/gaussian-scorer.ts';
import { openPatchExtractor } from '../../features/patch-extractor.ts';
import type { BackboneFile, Predictor } from '../../types.ts';
import { channelSelection, decodePadim } from './codec.ts';

/** @throws VisionError `invalid_model`, `invalid_backbone` */
export async function openPadim(payload: Uint8Array, backbone: BackboneFile): Promise<Predictor> {
  const { layout, channels, allChannels, grid, smoothing } = decodePadim(payload);
  const scorer = await openGaussianScorer(grid, smoothing);
  const extractor = await openPatchExtractor(backbone, layout, channelSelection(channels, allChannels));
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
