import type { InferenceSession, Tensor } from 'onnxruntime-node';
import { resizeImage } from '../image/resize-image.ts';
import { openSession } from '../onnx/open-session.ts';
import type { BackboneFile, RgbImage } from '../types.ts';
import { openBackbone } from './open-backbone.ts';
import { levelInput, levelInputs, patchPart } from './patch-graph.ts';

/** Features of an image, one vector for each cell of a grid that covers it evenly. */
export interface PatchFeatures {
  readonly rows: number;
  readonly columns: number;
  readonly dims: number;
  /** [rows · columns, dims] */
  readonly data: Float32Array;
}

export interface PatchExtractor {
  extract(image: RgbImage): Promise<PatchFeatures>;
  dispose(): Promise<void>;
}

export const channelsOf = (levels: readonly Tensor[]): number[] => levels.map((level) => level.dims[1] ?? 0);

export const levelFeeds = (levels: readonly Tensor[]): Record<string, Tensor> =>
  Object.fromEntries(levels.map((tensor, level) => [levelInput(level), tensor]));

/** Resizes to `width` × `height`, runs the network, pools and joins its levels ({@link patchPart}). */
export async function openPatchExtractor(file: BackboneFile, width: number, height: number): Promise<PatchExtractor> {
  const backbone = await openBackbone(file);
  let session: InferenceSession | undefined;
  return {
    async extract(image) {
      const levels = await backbone.extractLevels(await resizeImage(image, width, height));
      const channels = channelsOf(levels);
      const dims = channels.reduce((sum, count) => sum + count, 0);
      session ??= await openSession({
        ...patchPart(channels, 'patches'),
        inputs: levelInputs(channels),
        outputs: [{ name: 'patches', dims: ['patches', dims] }],
      });
      const { patches } = await session.run(levelFeeds(levels));
      const [rows = 0, columns = 0] = levels[0]?.dims.slice(2) ?? [];
      return { rows, columns, dims, data: patches?.data as Float32Array };
    },
    async dispose() {
      await session?.release();
      await backbone.dispose();
    },
  };
}
