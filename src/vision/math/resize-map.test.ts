import { describe, expect, it } from 'vitest';
import { resizeMap } from './resize-map.ts';

describe('resizeMap', () => {
  it('interpolates between cell centres and holds the border', () => {
    const map = { rows: 1, columns: 2, data: Float32Array.of(0, 4) };
    expect([...resizeMap(map, 1, 4).data]).toEqual([0, 1, 3, 4]);
    expect([...resizeMap(map, 2, 2).data]).toEqual([0, 4, 0, 4]);
  });

  it('meets every source cell exactly for a factor that is an odd number, so that maxima survive', () => {
    const data = Float32Array.from({ length: 12 }, (_, index) => (index * 37) % 11);
    const wide = resizeMap({ rows: 3, columns: 4, data }, 15, 20);
    data.forEach((value, index) => {
      const [row, column] = [Math.floor(index / 4), index % 4];
      expect(wide.data[(row * 5 + 2) * 20 + column * 5 + 2]).toBe(value);
    });
    expect(Math.max(...wide.data)).toBe(Math.max(...data));
  });
});
