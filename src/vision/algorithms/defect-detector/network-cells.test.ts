import { describe, expect, it } from 'vitest';
import { prepared } from '../../../../test/vision/synthetic-product.ts';
import { decodeBoxes, networkScoresOn, suppressCells } from './network-cells.ts';

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

describe('decodeBoxes', () => {
  const frame = { ...prepared({ width: 64, height: 64, data: new Uint8Array(0) }) };

  it('joins boxes of one defect, and keeps another class and another place apart', () => {
    const [rows, columns, width] = [8, 8, 7];
    const data = new Float32Array(rows * columns * width);
    const propose = (cell: number, first: number, second: number, left: number): void =>
      data.set([1 - first - second, first, second, left, 0.5, 1 - left, 0.5], cell * width);
    for (let cell = 0; cell < 64; cell++) propose(cell, 0, 0, 0.5);
    // Neighbours that mean the same rectangle, 8 to 24 across; the second thinks of class 2 as well.
    propose(9, 0.9, 0, 0.25);
    propose(10, 0.6, 0.3, 0.75);
    propose(54, 0, 0.8, 0.5);
    const found = decodeBoxes({ rows, columns, patches: { rows: 64, columns: width, data } }, frame);
    expect(found.map(({ labelIndex, probability }) => [labelIndex, Number(probability.toFixed(3))])).toEqual([
      [0, 0.9],
      [1, 0.8],
      [1, 0.3],
    ]);
    expect([found[0]?.xMin, found[0]?.xMax]).toEqual([8, 24]);
  });
});
