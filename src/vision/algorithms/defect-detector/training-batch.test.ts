import { describe, expect, it } from 'vitest';
import { cellTargets, GOOD, IGNORED } from './training-batch.ts';

const region = { xMin: 2, yMin: 3, xMax: 6, yMax: 7, label: 4 };

describe('cellTargets', () => {
  const { classes, sides } = cellTargets([region], [2, 4], 12, 12);
  const at = (row: number, column: number) => classes[row * 12 + column];

  it('are positive in the middle of a region, with the distances to its sides', () => {
    expect(at(4, 3)).toBe(2);
    expect([...sides.subarray(4 * (4 * 12 + 3), 4 * (4 * 12 + 4))]).toEqual([12 / 16, 12 / 16, 20 / 16, 20 / 16]);
  });

  it('ignore its rim, and are negative elsewhere', () => {
    expect([at(3, 2), at(6, 2), at(4, 6)]).toEqual([IGNORED, IGNORED, GOOD]);
    expect(at(11, 11)).toBe(GOOD);
    expect(cellTargets([], [], 12, 12).classes.every((value) => value === GOOD)).toBe(true);
  });

  it('give even a region smaller than a cell one positive cell, and a cell in two regions to the smaller', () => {
    const tiny = { xMin: 4.1, yMin: 5.1, xMax: 4.2, yMax: 5.2, label: 9 };
    expect(cellTargets([tiny, region], [4, 9], 12, 12).classes[5 * 12 + 4]).toBe(2);
  });

  it('are negative beside the core of a region that is seen whole, and ignore all beside that of a longer one', () => {
    const corner = (side: number): number | undefined =>
      cellTargets([{ xMin: 2, yMin: 2, xMax: 2 + side, yMax: 2 + side, label: 4 }], [4], 16, 16).classes[2 * 16 + 2];
    expect(corner(8)).toBe(GOOD);
    expect(corner(12)).toBe(IGNORED);
  });

  it('ignore a region whose label is not learned', () => {
    const { classes: unknown } = cellTargets([region], [2], 12, 12);
    expect([unknown[4 * 12 + 3], unknown[6 * 12 + 5]]).toEqual([IGNORED, IGNORED]);
  });
});
