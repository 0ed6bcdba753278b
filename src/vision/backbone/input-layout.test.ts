import { describe, expect, it } from 'vitest';
import { chooseInputLayout, layoutTiles } from './input-layout.ts';

describe('chooseInputLayout', () => {
  it('keeps the shape and the number of pixels', () => {
    expect(chooseInputLayout({ width: 1000, height: 1000 }, 256, 'auto')).toEqual({
      canvasWidth: 256,
      canvasHeight: 256,
      tileWidth: 256,
      tileHeight: 256,
    });
    const upright = chooseInputLayout({ width: 576, height: 768 }, 256, 'off');
    expect([upright.canvasWidth, upright.canvasHeight]).toEqual([224, 288]);
  });

  it.each([
    { side: 1024, canvas: 640 },
    { side: 512, canvas: 512 },
    { side: 100, canvas: 256 },
  ])('shows an image of $side pixels to the network at $canvas, cells averaged in pairs', ({ side, canvas }) => {
    const layout = { canvasWidth: canvas, canvasHeight: canvas, tileWidth: canvas, tileHeight: canvas, pooling: 2 };
    expect(chooseInputLayout({ width: side, height: side }, 640, 'auto', undefined, true)).toEqual(layout);
  });

  it.each([
    { side: 1530, tiles: 1, tileWidth: 640 },
    { side: 1540, tiles: 16, tileWidth: 256 },
  ])('sees an image of $side pixels in $tiles tiles', ({ side, tiles, tileWidth }) => {
    const layout = chooseInputLayout({ width: side, height: side }, 640, 'auto', undefined, true);
    expect(layout.tileWidth).toBe(tileWidth);
    expect(layoutTiles(layout)).toHaveLength(tiles);
  });

  it('tiles large images, at half their resolution at most, in a bounded number of tiles', () => {
    const layout = chooseInputLayout({ width: 4000, height: 3000 }, 256, 'auto');
    expect([layout.canvasWidth, layout.canvasHeight, layout.tileWidth]).toEqual([2016, 1504, 256]);
    expect(chooseInputLayout({ width: 4000, height: 3000 }, 256, 'off').canvasWidth).toBeLessThan(320);
    const huge = layoutTiles(chooseInputLayout({ width: 10_000, height: 10_000 }, 256, 'auto'));
    expect(huge.length).toBeLessThanOrEqual(200);
    expect(huge.length).toBeGreaterThan(160);
  });

  it.each([1, 4, 20, 88, 500])('never needs more than %i tiles', (most) => {
    for (const [width, height] of [
      [4000, 3000],
      [3000, 9000],
      [12_000, 700],
    ] as const) {
      const layout = chooseInputLayout({ width, height }, 256, 'on', most);
      expect(layoutTiles(layout).length).toBeLessThanOrEqual(most);
    }
    const fits = chooseInputLayout({ width: 4000, height: 3000 }, 256, 'on', 88);
    expect(layoutTiles(fits)).toHaveLength(88);
  });

  it.each([64, 79, 80, 1024])('cuts images into tiles for a network that sees %i pixels', (imageSize) => {
    const layout = chooseInputLayout({ width: 640, height: 480 }, imageSize, 'on');
    const tiles = layoutTiles(layout);
    const ends = [...new Set(tiles.map(({ left }) => left + layout.tileWidth))];
    expect(ends.at(-1)).toBe(layout.canvasWidth);
    ends.slice(1).forEach((end, index) => {
      expect(end - (ends[index] ?? 0)).toBeLessThan(layout.tileWidth);
    });
  });
});

describe('layoutTiles', () => {
  it('covers the canvas with overlap, inside it, on the grid', () => {
    const layout = { canvasWidth: 2016, canvasHeight: 512, tileWidth: 256, tileHeight: 256 };
    const tiles = layoutTiles(layout);
    const lefts = [...new Set(tiles.map((tile) => tile.left))];
    expect(lefts[0]).toBe(0);
    expect(lefts.at(-1)).toBe(2016 - 256);
    lefts.slice(1).forEach((left, index) => {
      expect(left - (lefts[index] ?? 0)).toBeLessThanOrEqual(256 - 32);
      expect(left % 32).toBe(0);
    });
    expect(layoutTiles({ ...layout, canvasWidth: 256, canvasHeight: 256 })).toEqual([{ left: 0, top: 0 }]);
  });
});
