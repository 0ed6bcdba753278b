import type { RgbImage } from '../types.ts';

type Channels = readonly [number, number, number];

/** What each of the 256 values becomes, for each channel: (value / 255 − mean) / std. */
export type ColourTables = readonly [Float32Array, Float32Array, Float32Array];

export function colourTables(mean: Channels, std: Channels): ColourTables {
  const tableOf = (channel: 0 | 1 | 2): Float32Array => {
    const scale = 1 / (255 * std[channel]);
    const shift = -mean[channel] / std[channel];
    return Float32Array.from({ length: 256 }, (_, value) => value * scale + shift);
  };
  return [tableOf(0), tableOf(1), tableOf(2)];
}

export const planesLength = ({ width, height }: RgbImage): number => 3 * width * height;

/**
 * Colour planes as networks take them.
 * @param planes to be filled: a new array's memory costs as much as half of the filling
 * @returns [3, height, width]
 */
export function imagePlanes(
  image: RgbImage,
  [red, green, blue]: ColourTables,
  planes: Float32Array = new Float32Array(planesLength(image)),
): Float32Array {
  const pixels = image.width * image.height;
  const { data } = image;
  for (let pixel = 0, at = 0; pixel < pixels; pixel++, at += 3) {
    planes[pixel] = red[data[at]!]!;
    planes[pixel + pixels] = green[data[at + 1]!]!;
    planes[pixel + 2 * pixels] = blue[data[at + 2]!]!;
  }
  return planes;
}
