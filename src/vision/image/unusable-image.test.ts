import { describe, expect, it } from 'vitest';
import { unusableImage, unusableSize } from './unusable-image.ts';

const flat = (width: number, height: number, level = 0) => ({
  width,
  height,
  data: new Uint8Array(width * height * 3).fill(level),
});

describe('an image that nothing can be learned from', () => {
  it.each([
    [1, 1, 'too_small'],
    [4000, 15, 'too_small'],
    [15, 400, 'too_small'],
    [513, 16, 'too_narrow'],
    [20, 641, 'too_narrow'],
    [512, 16, undefined],
    [16, 16, undefined],
    [8192, 4096, undefined],
  ])('is told by its size: %d×%d is %s', (width, height, expected) => {
    expect(unusableSize({ width, height })).toBe(expected);
  });

  it('is told by its pixels: black, white, grey, and one colour with the noise of compression', () => {
    for (const level of [0, 128, 255]) expect(unusableImage(flat(32, 32, level))).toBe('no_contrast');
    const noisy = flat(32, 32, 90);
    for (let at = 0; at < noisy.data.length; at += 5) noisy.data[at] = 93;
    expect(unusableImage(noisy)).toBe('no_contrast');
    expect(unusableImage(flat(1, 1))).toBe('too_small');
  });

  it('is not one with a single pixel that differs, unless that pixel is ignored', () => {
    const marked = flat(32, 32, 90);
    marked.data[32 * 32 * 3 - 1] = 99;
    expect(unusableImage(marked)).toBeUndefined();
    const inspected = new Uint8Array(32 * 32).fill(1);
    inspected[32 * 32 - 1] = 0;
    expect(unusableImage(marked, inspected)).toBe('no_contrast');
  });
});
