import type { RgbImage } from '../types.ts';

/** Why nothing can be learned from an image. */
export type UnusableImage = 'too_small' | 'too_narrow' | 'no_contrast';

/** Pixels. A patch feature covers 8 pixels of what the network sees. */
const SMALLEST_SIDE = 16;
/** Longer side over shorter side. At the usual 256 pixels a side, a narrower image has less than one patch across. */
const NARROWEST = 32;
/** Levels of 255: what compression alone does to an image of one colour. */
const FLAT = 3;

/** What the size alone tells; undefined for a usable size. Needs no pixels, so that readiness can ask for every image. */
export function unusableSize({
  width,
  height,
}: Pick<RgbImage, 'width' | 'height'>): 'too_small' | 'too_narrow' | undefined {
  if (Math.min(width, height) < SMALLEST_SIDE) return 'too_small';
  return Math.max(width, height) > NARROWEST * Math.min(width, height) ? 'too_narrow' : undefined;
}

/**
 * What size and pixels tell; undefined for an image that can be learned from.
 * @param inspected [height · width], 0 = ignored; absent: everything is inspected
 */
export function unusableImage(image: RgbImage, inspected?: Uint8Array): UnusableImage | undefined {
  const bySize = unusableSize(image);
  if (bySize) return bySize;
  const lowest = [255, 255, 255];
  const highest = [0, 0, 0];
  for (let at = 0; at < image.data.length; at += 3) {
    if (inspected && inspected[at / 3] === 0) continue;
    for (let channel = 0; channel < 3; channel++) {
      const level = image.data[at + channel]!;
      if (level < lowest[channel]!) lowest[channel] = level;
      if (level > highest[channel]!) highest[channel] = level;
      // Most images show contrast within their first rows.
      if (highest[channel]! - lowest[channel]! > FLAT) return undefined;
    }
  }
  return 'no_contrast';
}
