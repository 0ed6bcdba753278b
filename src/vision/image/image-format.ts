import { say } from '../engine-messages.ts';
import { VisionError } from '../vision-error.ts';

export type ImageFormat = 'jpeg' | 'png' | 'webp' | 'tiff' | 'bmp';

/** The first bytes of each format, as Latin-1. A dot stands for any byte. */
const SIGNATURES: readonly (readonly [ImageFormat, RegExp])[] = [
  ['jpeg', /^\xff\xd8\xff/],
  ['png', /^\x89PNG\r\n.\n/],
  ['webp', /^RIFF.{4}WEBP/s],
  ['tiff', /^(II\*\0|MM\0\*)/],
  ['bmp', /^BM/],
];

/** Undefined for anything that Kensa does not read. */
export function findImageFormat(bytes: Uint8Array): ImageFormat | undefined {
  const start = Buffer.from(bytes.subarray(0, 12)).toString('latin1');
  return SIGNATURES.find(([, signature]) => signature.test(start))?.[0];
}

const MAX_MEBIBYTES = 64;
const MAX_MEGAPIXELS = 100;

/** @throws VisionError `image_too_large` for a file over 64 MiB. */
export function checkFileSize(bytes: Uint8Array): void {
  const mebibytes = bytes.length / 1024 / 1024;
  if (mebibytes <= MAX_MEBIBYTES) return;
  const values = { mebibytes: mebibytes.toFixed(1), most: MAX_MEBIBYTES };
  throw new VisionError('image_too_large', say('image.too-many-bytes', values));
}

/** @throws VisionError `image_too_large` over 100 megapixels, `not_an_image` without any pixel. */
export function checkImageSize(width: number, height: number): void {
  if (!(width >= 1 && height >= 1)) throw new VisionError('not_an_image', say('image.no-pixels', { width, height }));
  if (width * height > MAX_MEGAPIXELS * 1e6)
    throw new VisionError('image_too_large', say('image.too-many-pixels', { width, height, most: MAX_MEGAPIXELS }));
}
