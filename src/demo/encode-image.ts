import { sharpImage } from '../vision/image/sharp-image.ts';
import type { RgbImage } from '../vision/types.ts';

/** The bytes of an image file, as a camera would send them. */
export async function encodeImage(image: RgbImage, format: 'png' | 'jpeg'): Promise<Buffer> {
  const picture = sharpImage(image);
  return format === 'png' ? picture.png({ compressionLevel: 3 }).toBuffer() : picture.jpeg({ quality: 92 }).toBuffer();
}
