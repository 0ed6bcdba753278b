import { describe, expect, it } from 'vitest';
import { type AnomalyMap, colourMap, colourOf, contourOf } from './anomaly-map.ts';

const spot: AnomalyMap = { width: 3, height: 3, data: Uint8Array.of(0, 0, 0, 0, 255, 0, 0, 0, 0) };

describe('an anomaly map', () => {
  it('has a closed line where the score is the limit, which moves with the limit', () => {
    const reach = (limit: number) => {
      const numbers = [...contourOf(spot, limit).matchAll(/[\d.]+/g)].map(Number);
      return { from: Math.min(...numbers), to: Math.max(...numbers), parts: numbers.length / 4 };
    };
    expect(reach(0.5)).toEqual({ from: 1, to: 2, parts: 4 });
    expect(reach(0.75)).toEqual({ from: 1.25, to: 1.75, parts: 4 });
    expect(contourOf({ ...spot, data: new Uint8Array(9) }, 0.5)).toBe('');
    // A defect at the border is outlined, too.
    expect(contourOf({ ...spot, data: new Uint8Array(9).fill(255) }, 0.5)).not.toBe('');
  });

  it('is without colour where the score is far below the limit, and fades up to it', () => {
    const opacity = (score: number) => colourOf(score, 0.5)[3];
    expect(opacity(0.3)).toBe(0);
    expect(opacity(0.45)).toBeGreaterThan(opacity(0.4));
    expect(opacity(0.5)).toBeGreaterThan(opacity(0.49));
    expect(opacity(0.7)).toBeGreaterThan(opacity(0.5));
    const { width, height, data } = colourMap(spot, 0.5);
    expect([width, height]).toEqual([12, 12]);
    const at = (x: number, y: number) => data[(y * width + x) * 4 + 3] ?? 0;
    expect(at(6, 6)).toBeGreaterThan(150);
    expect(at(0, 0)).toBe(0);
  });
});
