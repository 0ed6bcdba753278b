import { describe, expect, it } from 'vitest';
import { turnImage } from '../../image/turn-image.ts';
import { cellInputs } from './cell-inputs.ts';
import { cellTargets } from './cell-targets.ts';
import { turnRegion } from './turn-region.ts';

const grid = { rows: 12, columns: 12, width: 96, height: 96 };
const region = { xMin: 16, yMin: 24, xMax: 48, yMax: 56, label: 4 };

describe('cellTargets', () => {
  const targets = cellTargets([region], grid);
  const at = (row: number, column: number) => targets[row * 12 + column];

  it('teach the middle of a region, with the ways to its sides in two cells', () => {
    expect(at(4, 3)).toEqual({ role: 'defect', region, lengths: [12 / 16, 12 / 16, 20 / 16, 20 / 16] });
  });

  it('leave out its rim, and tell good cells near it from others', () => {
    expect(at(3, 2)?.role).toBe('ignored');
    expect(at(5, 8)?.role).toBe('near');
    expect(at(11, 11)?.role).toBe('good');
    expect(cellTargets([], grid).every(({ role }) => role === 'good')).toBe(true);
  });

  it('give even a region smaller than a cell to one, and a cell in two regions to the smaller', () => {
    const tiny = { xMin: 33, yMin: 41, xMax: 34, yMax: 42, label: 9 };
    expect(cellTargets([region, tiny], grid)[5 * 12 + 4]?.region).toEqual(tiny);
  });
});

describe('cellInputs', () => {
  it('join a cell with four around it, the outermost ones at the border', () => {
    const data = Float32Array.from({ length: 35 }, (_, cell) => cell);
    const inputs = cellInputs({ rows: 5, columns: 7, patches: { rows: 35, columns: 1, data } }, [0, 17]);
    // Rows 0 and 2, columns 0 and 3; above, below, left and right by three cells.
    expect([...inputs.data]).toEqual([0, 0, 21, 0, 3, 17, 3, 31, 14, 20]);
  });
});

describe('turnRegion', () => {
  it('moves a region as turnImage moves the pixels', () => {
    const [width, height] = [6, 4];
    const data = new Uint8Array(width * height * 3);
    data.fill(255, (1 * width + 4) * 3, (1 * width + 5) * 3);
    for (const turn of [0, 1, 2, 3] as const)
      for (const mirrored of [false, true]) {
        const turned = turnImage({ width, height, data }, turn, mirrored);
        const pixel = turned.data.indexOf(255) / 3;
        const [x, y] = [pixel % turned.width, Math.floor(pixel / turned.width)];
        const moved = turnRegion({ xMin: 4, yMin: 1, xMax: 5, yMax: 2, label: null }, turn, mirrored, {
          width,
          height,
        });
        expect(moved).toEqual({ xMin: x, yMin: y, xMax: x + 1, yMax: y + 1, label: null });
      }
  });
});
