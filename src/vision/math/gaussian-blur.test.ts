import { describe, expect, it } from 'vitest';
import type { ScoreMap } from '../types.ts';
import { gaussianBlur } from './gaussian-blur.ts';
import { createRandom } from './random.ts';

function slowBlur(map: ScoreMap, sigma: number): number[] {
  const radius = Math.ceil(3 * sigma);
  const at = (y: number, x: number): number => {
    const row = y < 0 ? -1 - y : y >= map.rows ? 2 * map.rows - 1 - y : y;
    const column = x < 0 ? -1 - x : x >= map.columns ? 2 * map.columns - 1 - x : x;
    return map.data[row * map.columns + column] ?? Number.NaN;
  };
  return Array.from(map.data, (_, index) => {
    const [y, x] = [Math.floor(index / map.columns), index % map.columns];
    let [sum, weights] = [0, 0];
    for (let dy = -radius; dy <= radius; dy++)
      for (let dx = -radius; dx <= radius; dx++) {
        const weight = Math.exp(-(dy * dy + dx * dx) / (2 * sigma * sigma));
        sum += weight * at(y + dy, x + dx);
        weights += weight;
      }
    return sum / weights;
  });
}

describe('gaussianBlur', () => {
  it('equals the two-dimensional sum with mirrored borders', () => {
    const random = createRandom(5);
    const map = { rows: 9, columns: 13, data: Float32Array.from({ length: 117 }, () => random.next()) };
    const fast = gaussianBlur(map, 1.2);
    slowBlur(map, 1.2).forEach((expected, index) => {
      expect(fast.data[index]).toBeCloseTo(expected, 5);
    });
  });

  it('leaves a constant map, a sigma of zero, and maps smaller than the kernel alone', () => {
    const flat = { rows: 2, columns: 3, data: new Float32Array(6).fill(2.5) };
    for (const value of gaussianBlur(flat, 3).data) expect(value).toBeCloseTo(2.5, 5);
    expect(gaussianBlur(flat, 0)).toBe(flat);
  });
});
