import { describe, expect, it } from 'vitest';
import { cellsInRegion, toPreparedRegions } from './labelled-regions.ts';

const region = (xMin: number, yMin: number, xMax: number, yMax: number) => ({ xMin, yMin, xMax, yMax, label: 3 });
const grid = { rows: 4, columns: 8, width: 80, height: 40 };

describe('labelled regions', () => {
  it('follow the preprocessing: half the size, turned by a quarter', () => {
    // Original = (2 y, 200 − 2 x) of the prepared image.
    const toOriginal = { a: 0, b: 2, c: 0, d: -2, e: 0, f: 200 };
    const frame = { toOriginal, originalWidth: 300, originalHeight: 200, image: { width: 100, height: 150 } };
    expect(toPreparedRegions([region(20, 40, 60, 100)], frame)).toEqual([region(50, 10, 80, 30)]);
  });

  it('cover the cells whose centres they hold', () => {
    expect(cellsInRegion(region(10, 0, 30, 20), grid)).toEqual([1, 2, 9, 10]);
  });

  it('cover one cell where they are smaller than any, and at the border', () => {
    expect(cellsInRegion(region(11, 11, 13, 13), grid)).toEqual([9]);
    expect(cellsInRegion(region(79.5, 39.5, 80, 40), grid)).toEqual([31]);
  });

  it('cover none where they were cropped away', () => {
    expect(cellsInRegion(region(-30, 10, -10, 30), grid)).toEqual([]);
    expect(cellsInRegion(region(20, 41, 40, 60), grid)).toEqual([]);
    expect(cellsInRegion(region(-30, 10, 2, 20), grid)).toEqual([8]);
  });
});
