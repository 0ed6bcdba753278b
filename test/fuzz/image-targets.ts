import { decodeBmp } from '../../src/vision/image/decode-bmp.ts';
import { findImageFormat } from '../../src/vision/image/image-format.ts';
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
const bitmaps = [bmp(24, 3, 2), bmp(8, 5, 3), bmp(32, 2, 2)];

export const imageTargets: readonly FuzzTarget[] = [
  { name: 'image format', slowness: 1, feed: (random) => findImageFormat(mutate(pick(bitmaps, random), random)) },
  { name: 'BMP', slowness: 1, feed: (random) => decodeBmp(mutate(pick(bitmaps, random), random)) },
];
