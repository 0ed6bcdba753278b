import { openNearestNeighbours } from '../../components/open-nearest-neighbours.ts';
import { openTaughtScorer } from '../../components/open-taught-scorer.ts';
import { patchDistances } from '../../components/score-patches.ts';
import { openPatchExtractor } from '../../features/patch-extractor.ts';
import type { BackboneFile, Predictor } from '../../types.ts';
import { decodePatchcore } from './codec.ts';

/** @throws VisionError `invalid_model`, `invalid_backbone` */
export async function openPatchcore(payload: Uint8Array, backbone: BackboneFile): Promise<Predictor> {
  const { layout, projection, bank, neighbours, smoothing, taught } = decodePatchcore(payload);
  const memory = await openNearestNeighbours(bank, neighbours);
  const scorer = await openTaughtScorer(taught, smoothing);
  const extractor = await openPatchExtractor(backbone, layout, projection);
  return {
    async predict({ image }) {
      const { rows, columns, patches } = await extractor.extract(image);
      const distances = await patchDistances(patches, memory);
      return { map: (await scorer.score({ rows, columns, evidence: patches, distances })).map };
    },
    async dispose() {
      await memory.dispose();
      await scorer.dispose();
      await extractor.dispose();
    },
  };
}
