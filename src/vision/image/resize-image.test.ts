import { describe, expect, it } from 'vitest';
import type { RgbImage } from '../types.ts';
import { resizeImage } from './resize-image.ts';

/** A soft spot around (x, y), in pixels whose first one spans 0 to 1. */
function spot(width: number, height: number, x: number, y: number): RgbImage {
  const data = new Uint8Array(width * height * 3);
  const width2 = 2 * (Math.min(width, height) / 16) ** 2;
  for (let row = 0; row < height; row++)
    for (let column = 0; column < width; column++) {
      const level = 255 * Math.exp(-((column + 0.5 - x) ** 2 + (row + 0.5 - y) ** 2) / width2);
      data.fill(Math.round(level), (row * width + column) * 3, (row * width + column) * 3 + 3);
    }
  return { width, height, data };
}

function centreOf({ width, data }: RgbImage): [number, number] {
  let [sum, x, y] = [0, 0, 0];
  for (let pixel = 0; pixel * 3 < data.length; pixel++) {
    const level = data[pixel * 3] ?? 0;
    sum += level;
    x += level * ((pixel % width) + 0.5);
    y += level * (Math.floor(pixel / width) + 0.5);
  }
  return [x / sum, y / sum];
}

describe('resizeImage', () => {
  it.each([
    [64, 64, 256, 256],
    [90, 90, 100, 100],
    [256, 256, 257, 257],
    [128, 512, 256, 256],
    [500, 400, 256, 200],
    [1000, 750, 256, 192],
  ])('%i×%i to %i×%i: everything stays in its place, growing, shrinking or both', async (...sizes) => {
    const [fromWidth, fromHeight, width, height] = sizes;
    const resized = await resizeImage(spot(fromWidth, fromHeight, fromWidth * 0.3, fromHeight * 0.6), width, height);
    expect([resized.width, resized.height]).toEqual([width, height]);
    const [x, y] = centreOf(resized);
    expect(Math.abs(x - width * 0.3)).toBeLessThan(0.05);
    expect(Math.abs(y - height * 0.6)).toBeLessThan(0.05);
  });

  it('keeps an even image as it is', async () => {
    const even = { width: 30, height: 20, data: new Uint8Array(1800).fill(77) };
    expect((await resizeImage(even, 64, 48)).data.every((value) => value === 77)).toBe(true);
    expect(await resizeImage(even, 30, 20)).toBe(even);
  });
});
