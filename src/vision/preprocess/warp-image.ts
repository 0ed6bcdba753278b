import type { Affine, RgbImage } from '../types.ts';

/** Width and height are those of the result. */
interface WarpInput extends Omit<RgbImage, 'data'> {
  readonly image: RgbImage;
  /** [height · width] of the image; absent: everything is inspected. */
  readonly inspected?: Uint8Array | undefined;
  /** From coordinates of the result to coordinates of the image. */
  readonly toInput: Affine;
  /** Shown where the image does not reach, of the result's size; absent: mid-grey. */
  readonly backdrop?: RgbImage;
}

export const MID_GREY = 128;

/**
 * Resamples an image through an affine map, bilinear, pixel centres at halves. In `inspected`, 0 marks where the image
 * does not reach or was not inspected; it is undefined where all of the result is inspected. [height · width]
 */
export function warpImage({ image, inspected, toInput, width, height, backdrop }: WarpInput) {
  // Not slice(): on a Node Buffer it shares memory, and this function would paint over the backdrop.
  const data = backdrop ? new Uint8Array(backdrop.data) : new Uint8Array(width * height * 3).fill(MID_GREY);
  const seen = new Uint8Array(width * height);
  let unseen = 0;
  for (let row = 0; row < height; row++) {
    const baseX = toInput.b * (row + 0.5) + toInput.c;
    const baseY = toInput.e * (row + 0.5) + toInput.f;
    for (let column = 0; column < width; column++) {
      const x = toInput.a * (column + 0.5) + baseX;
      const y = toInput.d * (column + 0.5) + baseY;
      const target = row * width + column;
      if (x < 0 || y < 0 || x > image.width || y > image.height) {
        unseen += 1;
        continue;
      }
      samplePixel(image, x - 0.5, y - 0.5, data, target * 3);
      const source = Math.min(image.height - 1, Math.floor(y)) * image.width + Math.min(image.width - 1, Math.floor(x));
      if (inspected && !inspected[source]) unseen += 1;
      else seen[target] = 1;
    }
  }
  return { image: { width, height, data }, inspected: unseen > 0 ? seen : undefined };
}

/** Blends the four pixels around a place. The outermost half pixel repeats the edge. */
function samplePixel(image: RgbImage, u: number, v: number, out: Uint8Array, target: number): void {
  const { width, height, data } = image;
  const x = u < 0 ? 0 : u > width - 1 ? width - 1 : u;
  const y = v < 0 ? 0 : v > height - 1 ? height - 1 : v;
  const left = x | 0;
  const top = y | 0;
  const right = left + 1 < width ? 3 : 0;
  const below = top + 1 < height ? width * 3 : 0;
  const shareX = x - left;
  const shareY = y - top;
  const at = (top * width + left) * 3;
  for (let channel = 0; channel < 3; channel++) {
    const here = at + channel;
    const upper = data[here]! + (data[here + right]! - data[here]!) * shareX;
    const lower = data[here + below]! + (data[here + below + right]! - data[here + below]!) * shareX;
    out[target + channel] = (upper + (lower - upper) * shareY + 0.5) | 0;
  }
}
