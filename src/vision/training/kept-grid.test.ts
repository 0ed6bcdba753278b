import { describe, expect, it } from 'vitest';
import { createRandom } from '../math/random.ts';
import { keepGrid, patchesOf } from './kept-grid.ts';

function grid(draw: () => number) {
  return { rows: 4, columns: 5, patches: { rows: 20, columns: 3, data: Float32Array.from({ length: 60 }, draw) } };
}

describe('keepGrid', () => {
  it.each([1e-30, 1, 1e30])('keeps values around %d to half a step, in half of the memory', (size) => {
    const random = createRandom(1);
    const features = grid(() => size * random.normal());
    const kept = keepGrid(features);
    expect(kept.steps.byteLength).toBe(features.patches.data.byteLength / 2);
    const { patches, ...shape } = patchesOf(kept);
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
    expect(patchesOf(keepGrid(features)).patches.data[0]).toBeCloseTo(-7, 5);
    const nothing = grid(() => 0);
    expect(patchesOf(keepGrid(nothing))).toEqual(nothing);
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY])('does not hide that a network gave %d', (value) => {
    const features = grid(() => 1);
    features.patches.data[7] = value;
    expect(patchesOf(keepGrid(features)).patches.data.every(Number.isNaN)).toBe(true);
  });

  it('gives the same when it is kept a second time', () => {
    const random = createRandom(2);
    const kept = keepGrid(grid(() => random.normal()));
    expect(keepGrid(patchesOf(kept)).steps).toEqual(kept.steps);
  });

  it('lies in the room that it is given, where that is large enough', () => {
    const room = new Int16Array(70);
    const features = grid(() => 2);
    const kept = keepGrid(features, room);
    expect(kept.steps.buffer).toBe(room.buffer);
    expect(kept.steps.length).toBe(60);
    expect([...room.subarray(60)]).toEqual(new Array(10).fill(0));
    expect(keepGrid(features, new Int16Array(59)).steps.length).toBe(60);
  });
});
