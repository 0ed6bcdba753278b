import type { RgbImage } from '../types.ts';

/** Red, green, blue and 255 of every pixel, for networks that read bytes. [height, width, 4] */
export function opaquePixels({ width, height, data }: RgbImage): Uint8Array {
  const pixels = new Uint8Array(4 * width * height);
  for (let from = 0, to = 0; from < data.length; from += 3, to += 4) {
    pixels[to] = data[from]!;
    pixels[to + 1] = data[from + 1]!;
    pixels[to + 2] = data[from + 2]!;
    pixels[to + 3] = 255;
  }
  return pixels;
}
