import { say } from '../engine-messages.ts';
import type { OwnedImage } from '../types.ts';
import { VisionError } from '../vision-error.ts';
import { checkImageSize } from './image-format.ts';

const refuse = (field: string, value: number): never => {
  throw new VisionError('not_an_image', say('bmp.unsupported', { field, value }));
};

function checkLength({ length }: Uint8Array, needed: number): void {
  if (length < needed) throw new VisionError('truncated_image', say('bmp.cut-off', { bytes: length, needed }));
}

/**
 * Header of an uncompressed Windows bitmap with 8, 24 or 32 bits a pixel (what cameras and frame grabbers write).
 * The palette is [colours · 4], blue green red unused; empty without one.
 * @throws VisionError `not_an_image`, `truncated_image`, `image_too_large`
 */
export function readBmpHeader(bytes: Uint8Array) {
  checkLength(bytes, 54);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const headerSize = view.getUint32(14, true);
  if (headerSize < 40) refuse('biSize', headerSize);
  const bits = view.getUint16(28, true);
  if (bits !== 8 && bits !== 24 && bits !== 32) return refuse('biBitCount', bits);
  const compression = view.getUint32(30, true);
  // 3 = bit fields; with 32 bits nearly every writer means plain BGRA.
  if (compression !== 0 && !(compression === 3 && bits === 32)) refuse('biCompression', compression);
  const width = view.getInt32(18, true);
  const signedHeight = view.getInt32(22, true);
  checkImageSize(width, Math.abs(signedHeight));
  const colours = bits === 8 ? Math.min(view.getUint32(46, true) || 256, 256) : 0;
  const paletteOffset = 14 + headerSize;
  checkLength(bytes, paletteOffset + colours * 4);
  const palette = bytes.subarray(paletteOffset, paletteOffset + colours * 4);
  const pixelOffset = view.getUint32(10, true);
  return { width, height: Math.abs(signedHeight), topDown: signedHeight < 0, bitsPerPixel: bits, pixelOffset, palette };
}

/** @throws VisionError as {@link readBmpHeader}, and `truncated_image` where rows are missing. */
export function decodeBmp(bytes: Uint8Array): OwnedImage {
  const { width, height, topDown, bitsPerPixel, pixelOffset, palette } = readBmpHeader(bytes);
  const pixelBytes = bitsPerPixel / 8;
  const stride = Math.ceil((width * pixelBytes) / 4) * 4;
  checkLength(bytes, pixelOffset + stride * height);
  const data = new Uint8Array(width * height * 3);
  for (let y = 0; y < height; y++) {
    const row = pixelOffset + (topDown ? y : height - 1 - y) * stride;
    for (let x = 0; x < width; x++) {
      const target = (y * width + x) * 3;
      const [source, from] =
        bitsPerPixel === 8 ? [palette, bytes[row + x]! * 4] : ([bytes, row + x * pixelBytes] as const);
      if (from + 2 >= source.length) throw new VisionError('not_an_image', say('bmp.palette'));
      data[target] = source[from + 2]!;
      data[target + 1] = source[from + 1]!;
      data[target + 2] = source[from]!;
    }
  }
  return { width, height, data };
}
