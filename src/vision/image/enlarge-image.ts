import type { RgbImage } from '../types.ts';

interface Tap {
  /** Offsets of the two source pixels, and the share of the second. */
  readonly low: number;
  readonly high: number;
  readonly share: number;
}

function taps(from: number, to: number, step: number): Tap[] {
  return Array.from({ length: to }, (_, index) => {
    const position = Math.min(Math.max(((index + 0.5) * from) / to - 0.5, 0), from - 1);
    const low = Math.floor(position);
    return { low: low * step, high: Math.min(low + 1, from - 1) * step, share: position - low };
  });
}

/**
 * The image at a size that is no smaller, bilinear between pixel centres, so that everything stays in its place: the
 * library's own enlargement shifts it by half a pixel.
 */
export function enlargeImage({ width: from, height: rows, data }: RgbImage, width: number, height: number): RgbImage {
  const out = new Uint8Array(width * height * 3);
  const across = taps(from, width, 3);
  taps(rows, height, from * 3).forEach((down, row) => {
    for (let column = 0; column < width; column++) {
      const { low, high, share } = across[column]!;
      const target = (row * width + column) * 3;
      for (let channel = 0; channel < 3; channel++) {
        const [left, right] = [low + channel, high + channel];
        const upper = data[down.low + left]! + (data[down.low + right]! - data[down.low + left]!) * share;
        const lower = data[down.high + left]! + (data[down.high + right]! - data[down.high + left]!) * share;
        out[target + channel] = (upper + (lower - upper) * down.share + 0.5) | 0;
      }
    }
  });
  return { width, height, data: out };
}
