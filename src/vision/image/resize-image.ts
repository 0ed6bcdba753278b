import sharp, { type Sharp } from 'sharp';
import { type ResizeTaps, resizeTaps } from '../math/resize-map.ts';
import type { OwnedImage, Picture, ReadonlyBytes, RgbImage } from '../types.ts';

/** The image as the start of a sharp pipeline, which only reads the pixels. */
export function sharpImage({ width, height, data }: RgbImage): Sharp {
  return sharp(data as Uint8Array, { raw: { width, height, channels: 3 } });
}

/** The pixels that a pipeline gives, in a plain array over the memory that sharp allocated for them. */
export async function pixelsOfSharp(pipeline: Sharp): Promise<OwnedImage & { readonly channels: number }> {
  const { data, info } = await pipeline.raw().toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  return { width, height, channels, data: new Uint8Array(data.buffer, data.byteOffset, data.byteLength) };
}

/** The image at exactly `width` × `height` (the shape is not kept), filtered so that fine structure does not alias. */
export async function resizeImage(image: Picture, width: number, height: number): Promise<RgbImage> {
  const [fewer, lower] = [Math.min(width, image.width), Math.min(height, image.height)];
  const reduced = 'data' in image ? await reduceImage(image, fewer, lower) : await image.reduce(fewer, lower);
  return reduced.width === width && reduced.height === height ? reduced : enlargeImage(reduced, width, height);
}

export const reduceTo = (pipeline: Sharp, width: number, height: number): Sharp =>
  pipeline.resize(width, height, { fit: 'fill', kernel: 'cubic', fastShrinkOnLoad: false });

/** Neither side may grow. */
export async function reduceImage(image: RgbImage, width: number, height: number): Promise<RgbImage> {
  if (image.width === width && image.height === height) return image;
  return pixelsOfSharp(reduceTo(sharpImage(image), width, height));
}

/** A row of pixels at the places of the taps. */
function stretchRow(data: ReadonlyBytes, start: number, { low, high, share }: ResizeTaps, line: Float64Array): void {
  for (let pixel = 0, at = 0; pixel < share.length; pixel++) {
    const left = start + 3 * low[pixel]!;
    const right = start + 3 * high[pixel]!;
    for (let channel = 0; channel < 3; channel++, at++)
      line[at] = data[left + channel]! + (data[right + channel]! - data[left + channel]!) * share[pixel]!;
  }
}

/**
 * The image at a size that is no smaller, bilinear between pixel centres, so that everything stays in its place: the
 * library's own enlargement shifts it by half a pixel.
 */
function enlargeImage({ width: from, height: rows, data }: RgbImage, width: number, height: number): OwnedImage {
  const out = new Uint8Array(width * height * 3);
  const across = resizeTaps(from, width);
  const down = resizeTaps(rows, height);
  const upper = new Float64Array(width * 3);
  const lower = new Float64Array(width * 3);
  for (let row = 0, at = 0; row < height; row++) {
    if (row === 0 || down.low[row] !== down.low[row - 1]) {
      stretchRow(data, down.low[row]! * from * 3, across, upper);
      stretchRow(data, down.high[row]! * from * 3, across, lower);
    }
    const share = down.share[row]!;
    for (let index = 0; index < upper.length; index++)
      out[at++] = (upper[index]! + (lower[index]! - upper[index]!) * share + 0.5) | 0;
  }
  return { width, height, data: out };
}
