import { describe, expect, it } from 'vitest';
import { chooseInputLayout } from '../backbone/input-layout.ts';
import { turnImage } from '../image/arrange-image.ts';
import { pixelsOf } from '../image/decode-image.ts';
import { IDENTITY } from '../math/affine.ts';
import { createRandom } from '../math/random.ts';
import type { RgbImage, TrainingSample } from '../types.ts';
import { usesRotations } from './rotation-augmentation.ts';
import type { RestingExtractor } from './with-training.ts';

const SIDE = 12;
const random = createRandom(3);
const layout = chooseInputLayout({ width: 600, height: 600 }, 256, 'off');

/** Patches are pixels with their right neighbour: a slope to the right is another one when it is rotated. */
const extractor: RestingExtractor = {
  rest: async () => {},
  async extract(image) {
    const { width, height, data } = await pixelsOf(image);
    const cells = [...Array(width * (height - 1)).keys()];
    const red = (cell: number): number => data[3 * cell] ?? 0;
    const patches = cells.flatMap((cell) => [red(cell), red(cell + 1)]);
    return {
      rows: height - 1,
      columns: width,
      patches: { rows: cells.length, columns: 2, data: Float32Array.from(patches) },
    };
  },
  dispose: async () => {},
};

function slope(): RgbImage {
  const data = Uint8Array.from({ length: SIDE * SIDE * 3 }, (_, at) => {
    const column = Math.floor(at / 3) % SIDE;
    return column * 20 + Math.floor(random.next() * 4);
  });
  return { width: SIDE, height: SIDE, data };
}

function trainingOf(images: readonly RgbImage[], rotations: string) {
  const samples = images.map((image, index): TrainingSample => {
    const load = async () => ({ image, toOriginal: IDENTITY, originalWidth: SIDE, originalHeight: SIDE });
    return { itemId: `${index}`, name: `${index}`, good: true, regions: [], load };
  });
  const { signal } = new AbortController();
  const backbone = {
    id: 'none',
    onnx: new Uint8Array(),
    description: { input: '', outputs: [], mean: [0, 0, 0] as const, std: [1, 1, 1] as const },
  };
  const input = { samples, params: { rotations }, random, backbone, threads: 1, signal, report: () => {} };
  return { ...input, layout, extractor };
}

const upright = Array.from({ length: 6 }, slope);
const anyWay = Array.from({ length: 6 }, (_, index) => turnImage(slope(), (index % 4) as 0 | 1 | 2 | 3, false));

describe('usesRotations', () => {
  it('is for a product that lies any way round, not for one that has a right way up', async () => {
    expect(await usesRotations(trainingOf(anyWay, 'auto'))).toBe(true);
    expect(await usesRotations(trainingOf(upright, 'auto'))).toBe(false);
  });

  it('is off where there are many images, or a single one', async () => {
    const many = Array.from({ length: 21 }, (_, index) => anyWay[index % 6] ?? slope());
    expect(await usesRotations(trainingOf(many, 'auto'))).toBe(false);
    expect(await usesRotations(trainingOf(anyWay.slice(0, 1), 'auto'))).toBe(false);
  });

  it('does as it is told', async () => {
    expect(await usesRotations(trainingOf(upright, 'true'))).toBe(true);
    expect(await usesRotations(trainingOf(anyWay, 'false'))).toBe(false);
  });
});
