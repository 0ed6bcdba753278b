import type { RgbImage } from '../types.ts';

/** The part of the image from (left, top), which must lie inside it. */
export function cropImage(image: RgbImage, left: number, top: number, width: number, height: number): RgbImage {
  if (left === 0 && top === 0 && width === image.width && height === image.height) return image;
  const data = new Uint8Array(width * height * 3);
  for (let y = 0; y < height; y++) {
    const from = ((top + y) * image.width + left) * 3;
    data.set(image.data.subarray(from, from + width * 3), y * width * 3);
  }
  return { width, height, data };
}
