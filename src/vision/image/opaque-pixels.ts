import type { ReadonlyBytes, RgbImage } from '../types.ts';

const OPAQUE = 0xff000000 | 0;

/** Four pixels at a time, which are three words of the image: as signed numbers, in half the time. @returns how many it has filled */
function fillByWords(data: ReadonlyBytes, pixels: Uint8Array): number {
  if (data.byteOffset % 4 !== 0 || pixels.byteOffset % 4 !== 0) return 0;
  const fours = Math.floor(data.length / 12);
  const from = new Int32Array(data.buffer, data.byteOffset, 3 * fours);
  const to = new Int32Array(pixels.buffer, pixels.byteOffset, 4 * fours);
  for (let read = 0, written = 0; written < to.length; read += 3, written += 4) {
    const first = from[read]!;
    const second = from[read + 1]!;
    const third = from[read + 2]!;
    to[written] = first | OPAQUE;
    to[written + 1] = (first >>> 24) | (second << 8) | OPAQUE;
    to[written + 2] = (second >>> 16) | (third << 16) | OPAQUE;
    to[written + 3] = (third >>> 8) | OPAQUE;
  }
  return to.length;
}

/**
 * Red, green, blue and 255 of every pixel, as networks take them that read bytes.
 * @param pixels to be filled: a new array's memory costs as much as the filling
 * @returns [height, width, 4]
 */
export function opaquePixels(
  { width, height, data }: RgbImage,
  pixels: Uint8Array = new Uint8Array(4 * width * height),
): Uint8Array {
  const filled = fillByWords(data, pixels);
  for (let from = 3 * filled, to = 4 * filled; from < data.length; from += 3, to += 4) {
    pixels[to] = data[from]!;
    pixels[to + 1] = data[from + 1]!;
    pixels[to + 2] = data[from + 2]!;
    pixels[to + 3] = 255;
  }
  return pixels;
}
