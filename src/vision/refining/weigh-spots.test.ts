import { describe, expect, it } from 'vitest';
import { createRandom } from '../math/random.ts';
import type { Spot } from './find-spots.ts';
import { weighPatches } from './weigh-spots.ts';

const spots = (patches: number): Spot[] => [
  {
    patches: { rows: patches, columns: 1, data: new Float32Array(patches) },
    sample: {
      ...{ itemId: 'a', name: 'a', good: false, regions: [], use: 'teach', learned: false },
      load: () => Promise.reject(new Error('not loaded here')),
    },
  },
];
const rounded = (factors: Float32Array): number[] => [...factors].map((factor) => Number(factor.toFixed(3)));

describe('weighPatches', () => {
  it('is a fifth above what known images come to, and at least 1', () => {
    const likenesses = [Float32Array.of(0.5, 2), Float32Array.of(0.4, 2), Float32Array.of(0.6, 1.9)];
    expect(rounded(weighPatches(spots(2), likenesses))).toEqual([1, 2.4]);
    expect(rounded(weighPatches(spots(3), []))).toEqual([1, 1, 1]);
  });

  it('is higher for all where an image comes nearer than the others had foretold', () => {
    const likenesses = [Float32Array.of(0.5, 2), Float32Array.of(0.4, 1.2), Float32Array.of(0.9, 1.1)];
    expect(rounded(weighPatches(spots(2), likenesses))).toEqual([1.8, 4]);
    // One image alone foretells nothing.
    expect(rounded(weighPatches(spots(1), [Float32Array.of(1.5)]))).toEqual([7.5]);
  });

  it('keeps the verdicts of images that did not help to set it, however many patches are taught', () => {
    const random = createRandom(3);
    const [patches, images] = [80, 12];
    const draw = (): Float32Array => Float32Array.from({ length: patches }, () => Math.exp(0.3 * random.normal()));
    const factors = weighPatches(spots(patches), Array.from({ length: images }, draw));
    const harmed = Array.from({ length: 200 }, draw).filter((alike) => alike.some((ratio, p) => ratio >= factors[p]!));
    expect(harmed.length).toBeLessThan(20);
  });
});
