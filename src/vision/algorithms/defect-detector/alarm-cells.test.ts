import { describe, expect, it } from 'vitest';
import { alarmsOn, hushCells } from './alarm-cells.ts';

const patches = { rows: 2, columns: 2 };

describe('the network beside the patches', () => {
  it('is the highest of its cells whose centre lies in a patch, in parts of its limit', () => {
    const heat = { rows: 3, columns: 4, data: Float32Array.of(0.1, 0.2, 0, 0, 0.4, 0, 0, 0.3, 0, 0, 0.8, 0) };
    // The middle row of cells has its centres on the border, which belongs to the patches below.
    [0.4, 0, 0.8, 1.6].forEach((expected, patch) => {
      expect(alarmsOn(patches, heat, 0.5)[patch]).toBeCloseTo(expected, 6);
    });
    const one = { rows: 1, columns: 1, data: Float32Array.of(0.5) };
    expect([...alarmsOn(patches, one, 0.5)]).toEqual([0, 0, 0, 1]);
  });

  it('is certainly good where alarms are false, and as it was elsewhere', () => {
    const cell = [0.25, 0.5, 0.25, 1, 2, 3, 4];
    const data = Float32Array.from(Array.from({ length: 16 }, () => cell).flat());
    const cells = { rows: 4, columns: 4, patches: { rows: 16, columns: 7, data } };
    expect(hushCells(cells, patches, undefined)).toBe(cells);
    const quiet = hushCells(cells, patches, Uint8Array.of(0, 1, 0, 0)).patches.data;
    for (let at = 0; at < 16; at++) {
      const isQuiet = at % 4 >= 2 && at < 8;
      expect([...quiet.subarray(at * 7, at * 7 + 7)]).toEqual(isQuiet ? [1, 0, 0, 1, 2, 3, 4] : cell);
    }
    expect([...data.subarray(14, 21)]).toEqual(cell);
  });
});
