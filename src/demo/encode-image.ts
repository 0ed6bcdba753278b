import sharp, { type Sharp } from 'sharp';
import type { RgbImage } from '../vision/types.ts';

export type ImageFormat = 'png' | 'jpeg';

/** The bytes of an image file, as a camera would send them. */
export async function encodeImage(image: RgbImage, format: ImageFormat): Promise<Buffer> {
  const picture = open(image, 3, image.data);
  return format === 'png' ? picture.png({ compressionLevel: 3 }).toBuffer() : picture.jpeg({ quality: 92 }).toBuffer();
}

/** A mask as a PNG: 255 where the defect is. */
export async function encodeMask(mask: Uint8Array, width: number, height: number): Promise<Buffer> {
  const levels = mask.map((set) => (set ? 255 : 0));
  return open({ width, height }, 1, levels).png().toBuffer();
}

function open(size: { width: number; height: number }, channels: 1 | 3, data: Uint8Array): Sharp {
  return sharp(data, { raw: { width: size.width, height: size.height, channels } });
}
