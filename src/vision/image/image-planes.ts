import type { RgbImage } from '../types.ts';

type Channels = readonly [number, number, number];

/**
 * Colour planes as networks take them: (value / 255 − mean) / std.
 * @returns [3, height, width]
 */
export function imagePlanes(image: RgbImage, mean: Channels, std: Channels): Float32Array {
  const pixels = image.width * image.height;
  const planes = new Float32Array(3 * pixels);
  const tableOf = (channel: 0 | 1 | 2): Float32Array => {
    const scale = 1 / (255 * std[channel]);
    const shift = -mean[channel] / std[channel];
    return Float32Array.from({ length: 256 }, (_, value) => value * scale + shift);
  };
  const [red, green, blue] = [tableOf(0), tableOf(1), tableOf(2)];
  const { data } = image;
  for (let pixel = 0, at = 0; pixel < pixels; pixel++, at += 3) {
    planes[pixel] = red[data[at]!]!;
    planes[pixel + pixels] = green[data[at + 1]!]!;
    planes[pixel + 2 * pixels] = blue[data[at + 2]!]!;
  }
  return planes;
}
