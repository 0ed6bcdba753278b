import { describe, expect, it } from 'vitest';
import { createRandom } from '../math/random.ts';
import { packFeatures, unpackFeatures } from './training-patches.ts';

function grid(draw: () => number) {
  return { rows: 4, columns: 5, patches: { rows: 20, columns: 3, data: Float32Array.from({ length: 60 }, draw) } };
}

describe('packFeatures', () => {
  it.each([1e-30, 1, 1e30])('keeps values around %d to half a step, in half of the memory', (size) => {
    const random = createRandom(1);
    const features = grid(() => size * random.normal());
    const kept = packFeatures(features);
    expect(kept.steps.byteLength).toBe(features.patches.data.byteLength / 2);
    const { patches, ...shape } = unpackFeatures(kept);
    expect({ ...shape, rowsOfPatches: patches.rows, dims: patches.columns }).toEqual({
      ...{ rows: 4, columns: 5, rowsOfPatches: 20, dims: 3 },
    });
    const largest = Math.max(...features.patches.data.map(Math.abs));
    expect((kept.step * 32_767) / largest).toBeCloseTo(1, 6);
    patches.data.forEach((value, at) => {
      expect(Math.abs(value - features.patches.data[at]!)).toBeLessThanOrEqual(0.501 * kept.step);
    });
  });

  it('keeps the largest value of either sign, and a grid of nothing', () => {
    const features = grid(() => -7);
    expect(unpackFeatures(packFeatures(features)).patches.data[0]).toBeCloseTo(-7, 5);
    const nothing = grid(() => 0);
    expect(unpackFeatures(packFeatures(nothing))).toEqual(nothing);
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY])('does not hide that a network gave %d', (value) => {
    const features = grid(() => 1);
    features.patches.data[7] = value;
    expect(unpackFeatures(packFeatures(features)).patches.data.every(Number.isNaN)).toBe(true);
  });

  it('gives the same when it is kept a second time', () => {
    const random = createRandom(2);
    const kept = packFeatures(grid(() => random.normal()));
    expect(packFeatures(unpackFeatures(kept)).steps).toEqual(kept.steps);
  });
});
