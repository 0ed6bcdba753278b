import { describe, expect, it } from 'vitest';
import { createRandom } from '../math/random.ts';
import { weighPatches } from './weigh-corrections.ts';

const rounded = (factors: Float32Array): number[] => [...factors].map((factor) => Number(factor.toFixed(3)));

describe('weighPatches', () => {
  it('is a fifth above the ratios of known images, and at least 1', () => {
    const ratios = [Float32Array.of(0.5, 2), Float32Array.of(0.4, 2), Float32Array.of(0.6, 1.9)];
    expect(rounded(weighPatches(2, ratios))).toEqual([1, 2.4]);
    expect(rounded(weighPatches(3, []))).toEqual([1, 1, 1]);
  });

  it('is higher for all where an image exceeds the factors from the others', () => {
    const ratios = [Float32Array.of(0.5, 2), Float32Array.of(0.4, 1.2), Float32Array.of(0.9, 1.1)];
    expect(rounded(weighPatches(2, ratios))).toEqual([1.8, 4]);
    // A single image has no others.
    expect(rounded(weighPatches(1, [Float32Array.of(1.5)]))).toEqual([7.5]);
  });

  it('keeps the verdicts of images that did not help to set it, however many patches are corrected', () => {
    const random = createRandom(3);
    const [patches, images] = [80, 12];
    const draw = (): Float32Array => Float32Array.from({ length: patches }, () => Math.exp(0.3 * random.normal()));
    const factors = weighPatches(patches, Array.from({ length: images }, draw));
    const harmed = Array.from({ length: 200 }, draw).filter((drawn) => drawn.some((ratio, p) => ratio >= factors[p]!));
    expect(harmed.length).toBeLessThan(20);
  });
});
