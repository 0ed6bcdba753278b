import sharp from 'sharp';
import type { RgbImage } from '../vision/types.ts';

/** The bytes of an image file, as a camera would send them. */
export async function encodeImage({ width, height, data }: RgbImage, format: 'png' | 'jpeg'): Promise<Buffer> {
  const picture = sharp(data, { raw: { width, height, channels: 3 } });
  return format === 'png' ? picture.png({ compressionLevel: 3 }).toBuffer() : picture.jpeg({ quality: 92 }).toBuffer();
}
