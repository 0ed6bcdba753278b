import { say } from '../engine-messages.ts';
import { VisionError } from '../vision-error.ts';

export type ImageFormat = 'jpeg' | 'png' | 'webp' | 'tiff' | 'bmp';

const startsWith = (bytes: Uint8Array, signature: readonly number[], offset = 0): boolean =>
  bytes.length >= offset + signature.length && signature.every((byte, index) => bytes[offset + index] === byte);

const RIFF = [0x52, 0x49, 0x46, 0x46];
const WEBP = [0x57, 0x45, 0x42, 0x50];

/** The format by the file's first bytes, never by its name; undefined for anything that Kensa does not read. */
export function findImageFormat(bytes: Uint8Array): ImageFormat | undefined {
  if (startsWith(bytes, [0xff, 0xd8, 0xff])) return 'jpeg';
  if (startsWith(bytes, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])) return 'png';
  if (startsWith(bytes, RIFF) && startsWith(bytes, WEBP, 8)) return 'webp';
  if (startsWith(bytes, [0x49, 0x49, 0x2a, 0x00]) || startsWith(bytes, [0x4d, 0x4d, 0x00, 0x2a])) return 'tiff';
  if (startsWith(bytes, [0x42, 0x4d])) return 'bmp';
  return undefined;
}

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
