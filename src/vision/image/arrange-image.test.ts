import { describe, expect, it } from 'vitest';
import type { RgbImage } from '../types.ts';
import { cropImage, imagePlanes, opaquePixels, turnImage } from './arrange-image.ts';
import { resizeImage } from './resize-image.ts';

/** An image whose red channel holds the given rows. */
function image(rows: readonly (readonly number[])[]): RgbImage {
  const [width, height] = [rows[0]?.length ?? 0, rows.length];
  return { width, height, data: Uint8Array.from(rows.flat().flatMap((value) => [value, value + 100, 7])) };
}
const red = ({ width, height, data }: RgbImage): number[][] =>
  Array.from({ length: height }, (_, y) => Array.from({ length: width }, (_, x) => data[(y * width + x) * 3] ?? -1));

const small = image([
  [1, 2, 3],
  [4, 5, 6],
]);

describe('cropImage', () => {
  it('takes the part', () => {
    expect(red(cropImage(small, 1, 0, 2, 2))).toEqual([
      [2, 3],
      [5, 6],
    ]);
    expect(cropImage(small, 0, 0, 3, 2)).toBe(small);
  });
});

describe('turnImage', () => {
  it('turns clockwise and mirrors', () => {
    expect(red(turnImage(small, 1, false))).toEqual([
      [4, 1],
      [5, 2],
      [6, 3],
    ]);
    expect(red(turnImage(small, 2, false))).toEqual([
      [6, 5, 4],
      [3, 2, 1],
    ]);
    expect(red(turnImage(small, 0, true))).toEqual([
      [3, 2, 1],
      [6, 5, 4],
    ]);
    expect(turnImage(turnImage(small, 1, false), 3, false)).toEqual(small);
  });
});

describe('imagePlanes', () => {
  it('separates and normalises the channels', () => {
    const scale = { mean: [0.5, 0, 0], std: [0.25, 1, 1] } as const;
    const planes = imagePlanes(small, scale);
    expect(planes.length).toBe(18);
    expect(planes[1]).toBeCloseTo((2 / 255 - 0.5) / 0.25, 6);
    expect(planes[6 + 5]).toBeCloseTo(106 / 255, 6);
    expect(planes[12]).toBeCloseTo(7 / 255, 6);
  });
});

describe('opaquePixels', () => {
  it('puts 255 behind the colours of every pixel', () => {
    const pixels = opaquePixels(small);
    expect([...pixels.subarray(0, 8)]).toEqual([1, 101, 7, 255, 2, 102, 7, 255]);
    expect(pixels.length).toBe(24);
  });

  it.each([
    { name: 'from the start of memory', at: 0 },
    { name: 'that lie between words', at: 1 },
  ])('takes pixels $name', ({ at }) => {
    const width = 7;
    const data = new Uint8Array(at + 3 * 3 * width).map((_, index) => (index * 89) % 256).subarray(at);
    const pixels = opaquePixels({ width, height: 3, data });
    const expected = Array.from({ length: 3 * width }, (_, pixel) => [...data.subarray(3 * pixel, 3 * pixel + 3), 255]);
    expect([...pixels]).toEqual(expected.flat());
  });
});

describe('resizeImage', () => {
  it('averages when it reduces and keeps the size it has', async () => {
    const stripes = image(Array.from({ length: 32 }, () => Array.from({ length: 32 }, (_, x) => (x % 2 ? 100 : 0))));
    const reduced = await resizeImage(stripes, 8, 4);
    expect([reduced.width, reduced.height, reduced.data.length]).toEqual([8, 4, 96]);
    for (const value of red(reduced).flat()) expect(Math.abs(value - 50)).toBeLessThan(8);
    expect(await resizeImage(small, 3, 2)).toBe(small);
  });
});
