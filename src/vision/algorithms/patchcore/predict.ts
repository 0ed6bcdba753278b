import { openNearestNeighbours } from '../../components/open-nearest-neighbours.ts';
import { scorePatches } from '../../components/score-patches.ts';
import { openPatchExtractor } from '../../features/patch-extractor.ts';
import type { BackboneFile, Predictor } from '../../types.ts';
import { decodePatchcore } from './codec.ts';

/** @throws VisionError `invalid_model`, `invalid_backbone` */
export async function openPatchcore(payload: Uint8Array, backbone: BackboneFile): Promise<Predictor> {
  const { layout, projection, bank, neighbours, smoothing } = decodePatchcore(payload);
  const memory = await openNearestNeighbours(bank, neighbours);
  const extractor = await openPatchExtractor(backbone, layout, projection);
  return {
    async predict({ image }) {
      return { map: await scorePatches(await extractor.extract(image), memory, smoothing) };
    },
    async dispose() {
      await memory.dispose();
      await extractor.dispose();
    },
  };
}
