import { gaussianKernel } from '../../math/gaussian-blur.ts';
import type { RgbImage } from '../../types.ts';

/**
 * Gaussian blur of all three channels. Edges are repeated, because an image shows more of the same beyond its edge. The
 * blur of anomaly maps mirrors its edges instead, so that the sum over a map stays the same.
 * @param sigma in pixels, from 0.5.
 * @returns [height · width · 3], not rounded.
 */
export function gaussianBlur(image: RgbImage, sigma: number): Float32Array {
  const { width, height, data } = image;
  const kernel = gaussianKernel(sigma);
  const reach = (kernel.length - 1) / 2;
  const across = new Float32Array(data.length);
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      const target = (row * width + column) * 3;
      for (let tap = -reach; tap <= reach; tap++) {
        const from = (row * width + Math.min(width - 1, Math.max(0, column + tap))) * 3;
        const weight = kernel[tap + reach]!;
        across[target]! += weight * data[from]!;
        across[target + 1]! += weight * data[from + 1]!;
        across[target + 2]! += weight * data[from + 2]!;
      }
    }
  }
  const out = new Float32Array(data.length);
  const stride = width * 3;
  for (let row = 0; row < height; row++) {
    for (let tap = -reach; tap <= reach; tap++) {
      const from = Math.min(height - 1, Math.max(0, row + tap)) * stride;
      const weight = kernel[tap + reach]!;
      for (let at = 0; at < stride; at++) out[row * stride + at]! += weight * across[from + at]!;
    }
  }
  return out;
}
