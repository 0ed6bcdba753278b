import sharp, { type Sharp } from 'sharp';
import type { OwnedImage, RgbImage } from '../types.ts';

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
