import type { Sharp } from 'sharp';
import type { Picture, RgbImage } from '../types.ts';
import { enlargeImage } from './enlarge-image.ts';
import { pixelsOfSharp, sharpImage } from './sharp-image.ts';

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
