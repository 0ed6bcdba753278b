import { describe, expect, it } from 'vitest';
import { networkScoresOn, suppressCells } from './network-cells.ts';

const patches = { rows: 2, columns: 2 };

describe('cells of the network on the grid of the patches', () => {
  it('give each patch the highest cell whose centre lies in it, in parts of the threshold', () => {
    const probabilities = { rows: 3, columns: 4, data: Float32Array.of(0.1, 0.2, 0, 0, 0.4, 0, 0, 0.3, 0, 0, 0.8, 0) };
    // The middle row of cells has its centres on the border, which belongs to the patches below.
    [0.4, 0, 0.8, 1.6].forEach((expected, patch) => {
      expect(networkScoresOn(patches, probabilities, 0.5)[patch]).toBeCloseTo(expected, 6);
    });
    const one = { rows: 1, columns: 1, data: Float32Array.of(0.5) };
    expect([...networkScoresOn(patches, one, 0.5)]).toEqual([0, 0, 0, 1]);
  });

  it('are certainly good where suppressed, and unchanged elsewhere', () => {
    const cell = [0.25, 0.5, 0.25, 1, 2, 3, 4];
    const data = Float32Array.from(Array.from({ length: 16 }, () => cell).flat());
    const cells = { rows: 4, columns: 4, patches: { rows: 16, columns: 7, data } };
    expect(suppressCells(cells, patches, undefined)).toBe(cells);
    const quiet = suppressCells(cells, patches, Uint8Array.of(0, 1, 0, 0)).patches.data;
    for (let at = 0; at < 16; at++) {
      const isQuiet = at % 4 >= 2 && at < 8;
      expect([...quiet.subarray(at * 7, at * 7 + 7)]).toEqual(isQuiet ? [1, 0, 0, 1, 2, 3, 4] : cell);
    }
    expect([...data.subarray(14, 21)]).toEqual(cell);
  });
});
