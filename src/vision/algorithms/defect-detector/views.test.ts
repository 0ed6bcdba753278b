import { describe, expect, it } from 'vitest';
import { transformRectangle } from '../../math/rectangle.ts';
import { mergeViews, viewImage, viewsOf, viewTransform } from './views.ts';

const [ROWS, COLUMNS, CELL] = [4, 6, 8];
/** All orientations. */
const EVERY = ([0, 1, 2, 3] as const).flatMap((turn) => [false, true].map((mirrored) => ({ turn, mirrored })));
const REGION = { xMin: 3, yMin: 5, xMax: 37, yMax: 19, label: 1 };

/** What a network without errors would give for a rectangle in the view: ways to its sides in cells. */
function perfect(region: typeof REGION, probability: number, columns = COLUMNS) {
  const data = Float32Array.from({ length: ROWS * COLUMNS * 6 }, (_, index) => {
    const [cell, part] = [Math.floor(index / 6), index % 6];
    const [x, y] = [((cell % columns) + 0.5) * CELL, (Math.floor(cell / columns) + 0.5) * CELL];
    const inside = x > region.xMin && x < region.xMax && y > region.yMin && y < region.yMax ? probability : 0;
    const ways = [x - region.xMin, y - region.yMin, region.xMax - x, region.yMax - y];
    return [1 - inside, inside, ...ways][part] ?? 0;
  });
  return { rows: ROWS * COLUMNS, columns: 6, data };
}

describe('mergeViews', () => {
  it('brings every view back to the image', () => {
    for (const view of EVERY) {
      const turned = transformRectangle(REGION, viewTransform(view, COLUMNS * CELL, ROWS * CELL));
      const merged = mergeViews(
        [{ view, cells: perfect(turned, 0.8, view.turn % 2 === 1 ? ROWS : COLUMNS) }],
        ROWS,
        COLUMNS,
      );
      perfect(REGION, 0.8).data.forEach((value, index) => {
        expect(merged.data[index]).toBeCloseTo(value, 3);
      });
    }
  });

  it('takes the mean of probabilities, and lengths mostly from the view that is surer', () => {
    const view = { turn: 0, mirrored: false } as const;
    const unsure = perfect({ ...REGION, xMin: 7 }, 0);
    const merged = mergeViews(
      [
        { view, cells: perfect(REGION, 1) },
        { view, cells: unsure },
      ],
      ROWS,
      COLUMNS,
    );
    const cell = COLUMNS + 2;
    expect(merged.data[cell * 6 + 1]).toBeCloseTo(0.5, 5);
    expect(merged.data[cell * 6 + 2]).toBeCloseTo(20 - 3, 1);
  });
});

describe('viewsOf', () => {
  it('are all orientations but those that were switched off, the image as it is first', () => {
    const both = viewsOf({ rotations: true, flips: true });
    expect(both[0]).toEqual({ turn: 0, mirrored: false });
    expect(new Set(both.map(({ turn, mirrored }) => `${turn} ${mirrored}`)).size).toBe(8);
    expect(viewsOf({ rotations: true, flips: false }).map(({ turn, mirrored }) => `${turn} ${mirrored}`)).toEqual([
      '0 false',
      '2 false',
      '1 false',
      '3 false',
    ]);
    expect(viewsOf({ rotations: false, flips: true }).map(({ turn }) => turn)).toEqual([0, 0]);
    expect(viewsOf({ rotations: false, flips: false })).toHaveLength(1);
  });
});

describe('viewTransform', () => {
  it('moves a rectangle as viewImage moves the pixels', () => {
    const around = (x: number, y: number) => ({ xMin: x, yMin: y, xMax: x + 1, yMax: y + 1 });
    const image = { width: 6, height: 4, data: new Uint8Array(6 * 4 * 3) };
    image.data.fill(255, (1 * 6 + 4) * 3, (1 * 6 + 5) * 3);
    for (const view of EVERY) {
      const turned = viewImage(image, view);
      const pixel = Buffer.from(turned.data as Uint8Array).indexOf(255) / 3;
      expect(transformRectangle(around(4, 1), viewTransform(view, 6, 4))).toEqual(
        around(pixel % turned.width, Math.floor(pixel / turned.width)),
      );
    }
  });
});
