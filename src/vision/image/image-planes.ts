import type { RgbImage } from '../types.ts';

type Channels = readonly [number, number, number];

/**
 * Colour planes as networks take them: (value / 255 − mean) / std.
 * @returns [3, height, width]
 */
export function imagePlanes(image: RgbImage, mean: Channels, std: Channels): Float32Array {
  const pixels = image.width * image.height;
  const planes = new Float32Array(3 * pixels);
  for (let channel = 0; channel < 3; channel++) {
    const scale = 1 / (255 * std[channel]!);
    const shift = -mean[channel]! / std[channel]!;
    const table = Float32Array.from({ length: 256 }, (_, value) => value * scale + shift);
    const offset = channel * pixels;
    for (let pixel = 0; pixel < pixels; pixel++) planes[offset + pixel] = table[image.data[pixel * 3 + channel]!]!;
  }
  return planes;
}
