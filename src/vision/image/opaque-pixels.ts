import type { RgbImage } from '../types.ts';

/**
 * Red, green, blue and 255 of every pixel, for networks that read bytes. [height, width, 4]
 * @param spare is filled where it has the size: a new array's memory costs as much as the filling
 */
export function opaquePixels({ width, height, data }: RgbImage, spare?: Uint8Array): Uint8Array {
  const size = 4 * width * height;
  const pixels = spare?.length === size ? spare : new Uint8Array(size);
  for (let from = 0, to = 0; from < data.length; from += 3, to += 4) {
    pixels[to] = data[from]!;
    pixels[to + 1] = data[from + 1]!;
    pixels[to + 2] = data[from + 2]!;
    pixels[to + 3] = 255;
  }
  return pixels;
}
