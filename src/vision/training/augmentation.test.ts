import { describe, expect, it } from 'vitest';
import { chooseInputLayout } from '../backbone/input-layout.ts';
import { turnImage } from '../image/arrange-image.ts';
import { pixelsOf } from '../image/decode-image.ts';
import { IDENTITY } from '../math/affine.ts';
import { createRandom } from '../math/random.ts';
import type { RgbImage, TrainingSample } from '../types.ts';
import { augmentImage, chooseCopies } from './augmentation.ts';
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

function trainingOf(images: readonly RgbImage[], params: Record<string, string>) {
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
  const input = { samples, params, random, backbone, threads: 1, signal, report: () => {} };
  return { ...input, layout, extractor };
}

const upright = Array.from({ length: 6 }, slope);
const anyWay = Array.from({ length: 6 }, (_, index) => turnImage(slope(), (index % 4) as 0 | 1 | 2 | 3, false));
const eitherSide = Array.from({ length: 6 }, (_, index) => turnImage(slope(), 0, index % 2 === 1));
const none = { rotations: 'false', flips: 'false' };

describe('chooseCopies', () => {
  const copiesOf = async (images: readonly RgbImage[], params: Record<string, string> = {}): Promise<string[]> =>
    (await chooseCopies(trainingOf(images, params))).map(({ degrees, mirrored }) => `${degrees}${mirrored ? 'm' : ''}`);
  const eighths = ['45', '90', '135', '180', '225', '270', '315'];
  const both = ['0m', ...eighths.flatMap((degrees) => [degrees, `${degrees}m`])];

  it('takes rotated copies of a product that lies any way round, none of one that has a right way up', async () => {
    expect(await copiesOf(anyWay, { flips: 'false' })).toEqual(eighths);
    expect(await copiesOf(upright, { flips: 'false' })).toEqual([]);
  });

  it('takes mirrored copies of a product that shows either side', async () => {
    expect(await copiesOf(eitherSide, { rotations: 'false' })).toContain('0m');
    expect(await copiesOf(eitherSide, { rotations: 'false' })).not.toContain('0');
    expect(await copiesOf(eitherSide, none)).toEqual([]);
  });

  it('takes all copies of a single image, and fewer the more images there are', async () => {
    const copiesOfMany = (count: number, params?: Record<string, string>) =>
      copiesOf(
        Array.from({ length: count }, (_, index) => anyWay[index % 6] ?? slope()),
        params,
      );
    expect(await copiesOf(anyWay.slice(0, 1))).toEqual(both);
    expect(await copiesOfMany(25)).toEqual(both);
    expect(await copiesOfMany(50)).toEqual(eighths);
    expect(await copiesOfMany(100)).toEqual(['90', '180', '270']);
    expect(await copiesOfMany(200)).toEqual(['0m']);
    expect(await copiesOfMany(201)).toEqual([]);
    // Mirrored copies that a person asks for are not not learned.
    expect(await copiesOfMany(50, { flips: 'true' })).toEqual(['0m', '90', '90m', '180', '180m', '270', '270m']);
  });

  it('does as it is told', async () => {
    expect(await copiesOf(upright, { rotations: 'true', flips: 'false' })).toEqual(['90', '180', '270']);
    expect(await copiesOf(upright, { rotations: 'false', flips: 'true' })).toEqual(['0m']);
    expect(await copiesOf(anyWay, none)).toEqual([]);
  });
});

describe('augmentImage', () => {
  it('mirrors first and turns clockwise then, by any angle', () => {
    const image = { width: 3, height: 3, data: new Uint8Array(27) };
    image.data.fill(255, 3 * (3 + 2), 3 * (3 + 3));
    const lit = (copy: Parameters<typeof augmentImage>[1]): number[] =>
      [...augmentImage(image, copy).data].flatMap((value, at) => (at % 3 === 0 && value > 100 ? [at / 3] : []));
    // The pixel in the middle of the right side.
    expect(lit({ degrees: 0, mirrored: true })).toEqual([3]);
    expect(lit({ degrees: 90, mirrored: false })).toEqual([7]);
    expect(lit({ degrees: 90, mirrored: true })).toEqual([1]);
    expect(lit({ degrees: 45, mirrored: false })).toContain(8);
  });
});
