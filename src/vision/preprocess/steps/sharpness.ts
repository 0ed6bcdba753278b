import Type from 'typebox';
import { gaussianKernel } from '../../math/gaussian-blur.ts';
import type { RgbImage } from '../../types.ts';
import { defineStep, withPixels } from '../step.ts';
import { toByte } from './colour.ts';

export const denoise = defineStep({
  name: 'denoise',
  title: 'Denoise',
  help: 'Takes grain and single deviating pixels away and leaves edges sharp (median filter). Use it for dim light or high gain; defects narrower than half the window vanish too.',
  fields: { window: Type.Enum([3, 5, 7], { default: 3, description: 'Side of the window in pixels' }) },
  example: { window: 3 },
  build: (config) => async (prepared) => {
    const { width, height } = prepared.image;
    // The side of the window is an odd number and no larger than the image.
    const side = Math.min(width, height);
    const window = Math.min(config.window, side - ((side + 1) % 2));
    if (window < 3) return prepared;
    const { pixelsOfSharp, sharpImage } = await import('../../image/resize-image.ts');
    const filtered = await pixelsOfSharp(sharpImage(prepared.image).median(window));
    return withPixels(prepared, filtered.data);
  },
});

export const sharpen = defineStep({
  name: 'sharpen',
  title: 'Sharpen',
  help: 'Makes edges and fine marks stand out (unsharp mask). Use it for a slightly soft lens; it raises noise as well.',
  fields: {
    amount: Type.Number({ minimum: 0, maximum: 5, default: 1, description: '0 changes nothing, 1 is usual' }),
    radius: Type.Number({ minimum: 0.5, maximum: 10, default: 1.5, description: 'Width of the edges in pixels' }),
  },
  example: { amount: 1, radius: 1.5 },
  build: (config) => async (prepared) => {
    const { data } = prepared.image;
    const blurred = gaussianBlur(prepared.image, config.radius);
    const out = new Uint8Array(data.length);
    for (let at = 0; at < data.length; at++) out[at] = toByte(data[at]! + config.amount * (data[at]! - blurred[at]!));
    return withPixels(prepared, out);
  },
});

/**
 * Gaussian blur of all three channels, not rounded, [height · width · 3]. Edges are repeated; the blur of anomaly maps
 * mirrors them, so that the sum over a map stays the same. @param sigma in pixels, from 0.5
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
