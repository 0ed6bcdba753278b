import type { ReadonlyBytes, RgbImage } from '../types.ts';

/** A rectangle of whole pixels. */
export interface PixelRectangle {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/**
 * The bytes of a rectangle, which must lie inside the rows.
 * @param data [rows · columns · channels]
 * @returns [height · width · channels]
 */
export function cropBytes(
  data: ReadonlyBytes,
  columns: number,
  channels: number,
  { left, top, width, height }: PixelRectangle,
): Uint8Array {
  const out = new Uint8Array(width * height * channels);
  for (let row = 0; row < height; row++) {
    const from = ((top + row) * columns + left) * channels;
    out.set(data.subarray(from, from + width * channels), row * width * channels);
  }
  return out;
}

/** The part of the image from (left, top), which must lie inside it. */
export function cropImage(image: RgbImage, left: number, top: number, width: number, height: number): RgbImage {
  if (left === 0 && top === 0 && width === image.width && height === image.height) return image;
  return { width, height, data: cropBytes(image.data, image.width, 3, { left, top, width, height }) };
}
