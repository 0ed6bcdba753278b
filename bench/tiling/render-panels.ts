import { encodeImage } from '../../src/demo/encode-image.ts';
import { getDemoProduct } from '../../src/demo/products.ts';
import { createRandom } from '../../src/vision/math/random.ts';

/** How much of a scratch's own contrast is left. */
export const CONTRASTS = [1, 0.7, 0.45] as const;

export interface PanelSet {
  readonly training: number;
  readonly testGood: number;
  readonly testScratched: number;
  readonly width: number;
  readonly height: number;
  readonly seed: number;
}

export interface PanelPicture {
  /** `train-001`, `good-001`, `scratch-001`, …: the order of {@link renderPanels}. */
  readonly name: string;
  readonly use: 'train' | 'good' | 'scratch';
  /** Of a scratch: the share of its contrast, and its pixels. */
  readonly contrast?: number;
  readonly pixels?: number;
  readonly jpeg: Uint8Array;
}

/** The scratched picture with only a share of what the scratch changed. */
function fade(clean: Uint8Array, scratched: Uint8Array, share: number): Uint8Array {
  return clean.map((value, i) => Math.round(value + ((scratched[i] ?? value) - value) * share));
}

/** Front panels one after the other; scratches of random length and heading, in each contrast by turns. */
export async function* renderPanels(set: PanelSet): AsyncGenerator<PanelPicture> {
  const product = getDemoProduct('panel');
  const random = createRandom(set.seed);
  const { width, height } = set;
  const number = (index: number): string => String(index + 1).padStart(3, '0');
  for (const [use, count] of [
    ['train', set.training],
    ['good', set.testGood],
    ['scratch', set.testScratched],
  ] as const)
    for (let index = 0; index < count; index++) {
      const seed = random.integer(2 ** 32);
      const name = `${use}-${number(index)}`;
      const clean = product.render(createRandom(seed), { width, height }).image;
      if (use !== 'scratch') {
        yield { name, use, jpeg: await encodeImage(clean, 'jpeg') };
        continue;
      }
      const { image, mask } = product.render(createRandom(seed), { width, height, defect: 'scratch' });
      const contrast = CONTRASTS[index % CONTRASTS.length] ?? 1;
      const data = fade(clean.data, image.data, contrast);
      const pixels = mask.reduce((sum, flag) => sum + flag, 0);
      yield { name, use, contrast, pixels, jpeg: await encodeImage({ width, height, data }, 'jpeg') };
    }
}
