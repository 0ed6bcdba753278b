import sharp from 'sharp';
import type { RgbImage } from '../types.ts';
import { enlargeImage } from './enlarge-image.ts';

/** The image at exactly `width` × `height` (the shape is not kept), filtered so that fine structure does not alias. */
export async function resizeImage(image: RgbImage, width: number, height: number): Promise<RgbImage> {
  const reduced = await reduceImage(image, Math.min(width, image.width), Math.min(height, image.height));
  return reduced.width === width && reduced.height === height ? reduced : enlargeImage(reduced, width, height);
}

async function reduceImage(image: RgbImage, width: number, height: number): Promise<RgbImage> {
  if (image.width === width && image.height === height) return image;
  const data = await sharp(image.data, { raw: { width: image.width, height: image.height, channels: 3 } })
    .resize(width, height, { fit: 'fill', kernel: 'cubic', fastShrinkOnLoad: false })
    .raw()
    .toBuffer();
  return { width, height, data };
}
