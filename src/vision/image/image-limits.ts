import { say } from '../engine-messages.ts';
import { VisionError } from '../vision-error.ts';

export const MAX_IMAGE_BYTES = 64 * 1024 * 1024;
export const MAX_IMAGE_PIXELS = 100_000_000;

/** @throws VisionError `image_too_large` for a file over 64 MiB. */
export function checkFileSize(bytes: Uint8Array): void {
  if (bytes.length > MAX_IMAGE_BYTES)
    throw new VisionError(
      'image_too_large',
      say('image.too-many-bytes', { mebibytes: (bytes.length / 1048576).toFixed(1), most: MAX_IMAGE_BYTES / 1048576 }),
    );
}

/** @throws VisionError `image_too_large` over 100 megapixels, `not_an_image` without any pixel. */
export function checkImageSize(width: number, height: number): void {
  if (!(width >= 1 && height >= 1)) throw new VisionError('not_an_image', say('image.no-pixels', { width, height }));
  if (width * height > MAX_IMAGE_PIXELS)
    throw new VisionError(
      'image_too_large',
      say('image.too-many-pixels', { width, height, most: MAX_IMAGE_PIXELS / 1e6 }),
    );
}
