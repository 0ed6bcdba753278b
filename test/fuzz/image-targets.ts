import sharp from 'sharp';
import { decodeBmp } from '../../src/vision/image/decode-bmp.ts';
import { decodeImage } from '../../src/vision/image/decode-image.ts';
import { extendJpeg } from '../../src/vision/image/extend-jpeg.ts';
import { findImageFormat } from '../../src/vision/image/image-format.ts';
import { readTiffTags } from '../../src/vision/image/tiff-tags.ts';
import { type FuzzTarget, pick } from './fuzz-target.ts';
import { mutate } from './mutate.ts';

const bmp = (bits: number, width: number, height: number): Uint8Array => {
  const colours = bits === 8 ? 256 : 0;
  const stride = Math.ceil((width * bits) / 32) * 4;
  const bytes = new Uint8Array(54 + colours * 4 + stride * height).fill(9);
  const view = new DataView(bytes.buffer);
  bytes.set([0x42, 0x4d]);
  for (const [at, value] of [
    [10, 54 + colours * 4],
    [14, 40],
    [18, width],
    [22, height],
    [30, 0],
    [46, colours],
  ] as const)
    view.setUint32(at, value, true);
  view.setUint16(28, bits, true);
  return bytes;
};
const pixels = Uint8Array.from({ length: 40 * 24 * 3 }, (_, at) => (at * 7) & 0xff);
const source = () => sharp(pixels, { raw: { width: 40, height: 24, channels: 3 } });
const files = await Promise.all([
  source().jpeg().toBuffer(),
  source().jpeg({ chromaSubsampling: '4:4:4' }).toBuffer(),
  source().jpeg({ progressive: true }).toBuffer(),
  source().png().toBuffer(),
  source().webp({ lossless: true }).toBuffer(),
  ...(['none', 'lzw', 'deflate', 'packbits', 'jpeg'] as const).flatMap((compression) =>
    [true, false].map((tile) => source().tiff({ compression, tile, tileWidth: 16, tileHeight: 16 }).toBuffer()),
  ),
]);

const decode = (bytes: Uint8Array, failOn: 'error' | 'warning'): Promise<Buffer> =>
  sharp(bytes, { failOn, pages: 1 })
    .autoOrient()
    .flatten({ background: '#ffffff' })
    .toColourspace('srgb')
    .raw({ depth: 'uchar' })
    .toBuffer();

/** Reads a file; throws where it gives other pixels than a strict decoder, or is read though that decoder fails. */
async function readStrictly(bytes: Uint8Array): Promise<void> {
  const { data } = await decodeImage(bytes);
  const expected = await decode(bytes, 'warning').catch((error: Error) => {
    // A warning about a tag says nothing of the pixels.
    if (!/failOn setting\n.*tag ignored/.test(error.message)) throw error;
    return decode(bytes, 'error');
  });
  if (!expected.equals(data)) throw new Error('The pixels are not those of the strict decoder.');
}

const bitmaps = [bmp(24, 3, 2), bmp(8, 5, 3), bmp(32, 2, 2)];

export const imageTargets: readonly FuzzTarget[] = [
  { name: 'image format', slowness: 1, feed: (random) => findImageFormat(mutate(pick(bitmaps, random), random)) },
  { name: 'BMP', slowness: 1, feed: (random) => decodeBmp(mutate(pick(bitmaps, random), random)) },
  { name: 'image file', slowness: 20, feed: (random) => readStrictly(mutate(pick(files, random), random)) },
  { name: 'TIFF directory', slowness: 1, feed: (random) => readTiffTags(mutate(pick(files, random), random)) },
  { name: 'JPEG header', slowness: 1, feed: (random) => extendJpeg(mutate(pick(files, random), random)) },
];
