import { VisionError } from '../vision-error.ts';

export const MAX_IMAGE_BYTES = 64 * 1024 * 1024;
export const MAX_IMAGE_PIXELS = 100_000_000;

/** @throws VisionError `image_too_large` for a file over 64 MiB. */
export function checkFileSize(bytes: Uint8Array): void {
  if (bytes.length > MAX_IMAGE_BYTES)
    throw new VisionError(
      'image_too_large',
      `The file has ${(bytes.length / 1048576).toFixed(1)} MiB; an image may have 64 MiB. Save it smaller.`,
    );
}

/** @throws VisionError `image_too_large` over 100 megapixels, `not_an_image` without any pixel. */
export function checkImageSize(width: number, height: number): void {
  if (!(width >= 1 && height >= 1))
    throw new VisionError('not_an_image', `The image is ${width}×${height} pixels; it needs at least one.`);
  if (width * height > MAX_IMAGE_PIXELS)
    throw new VisionError(
      'image_too_large',
      `The image is ${width}×${height} pixels; 100 megapixels are allowed. Scale it down or crop it.`,
    );
}
