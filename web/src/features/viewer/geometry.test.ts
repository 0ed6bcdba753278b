import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  clampViewport,
  fitViewport,
  fromCorners,
  handles,
  inTheMiddle,
  isDrawn,
  move,
  type Rectangle,
  resize,
  toImage,
  zoomAt,
} from './geometry.ts';

const image = { width: 640, height: 480 };
const point = fc.record({
  x: fc.double({ min: -900, max: 900, noNaN: true }),
  y: fc.double({ min: -900, max: 900, noNaN: true }),
});
const drawn = fc
  .tuple(point, point)
  .map(([one, other]) => fromCorners(one, other, image))
  .filter(isDrawn);
const isInside = ({ x_min, x_max, y_min, y_max }: Rectangle): boolean =>
  x_min >= 0 && y_min >= 0 && x_max <= image.width && y_max <= image.height && x_min < x_max && y_min < y_max;

describe('rectangles', () => {
  it('stay inside the image, whole and not turned over, whatever is done to them', () => {
    fc.assert(
      fc.property(drawn, point, fc.constantFrom(...handles), (rectangle, by, handle) => {
        expect(isInside(move(rectangle, by, image))).toBe(true);
        expect(isInside(resize(rectangle, handle, by, image))).toBe(true);
      }),
    );
  });

  it('keep their size when moved, and the opposite corner when resized', () => {
    const rectangle = { x_min: 100, y_min: 50, x_max: 180, y_max: 90 };
    expect(move(rectangle, { x: 1000, y: -7.4 }, image)).toEqual({ x_min: 560, y_min: 43, x_max: 640, y_max: 83 });
    expect(resize(rectangle, 'nw', { x: -10, y: 5 }, image)).toEqual({ x_min: 90, y_min: 55, x_max: 180, y_max: 90 });
    expect(resize(rectangle, 'e', { x: -500, y: 99 }, image)).toEqual({ ...rectangle, x_max: 102 });
  });

  it('may be drawn in any direction, and start in the middle by key', () => {
    const corners = [
      { x: 30.4, y: 80 },
      { x: 10, y: 20.6 },
    ] as const;
    expect(fromCorners(corners[0], corners[1], image)).toEqual({ x_min: 10, y_min: 21, x_max: 30, y_max: 80 });
    expect(inTheMiddle(image)).toEqual({ x_min: 272, y_min: 192, x_max: 368, y_max: 288 });
  });
});

describe('the viewport', () => {
  it('keeps what is under the pointer in its place while zooming', () => {
    fc.assert(
      fc.property(point, fc.double({ min: 0.5, max: 2, noNaN: true }), (pointer, factor) => {
        const before = fitViewport(image, { width: 1000, height: 700 });
        const after = zoomAt(before, factor, pointer, before.scale);
        expect(toImage(after, pointer).x).toBeCloseTo(toImage(before, pointer).x, 6);
        expect(toImage(after, pointer).y).toBeCloseTo(toImage(before, pointer).y, 6);
      }),
    );
  });

  it('shows the whole image in a frame of any shape', () => {
    const view = fitViewport(image, { width: 300, height: 900 });
    expect(view.x).toBeCloseTo(12, 6);
    expect(view.scale * image.width).toBeCloseTo(276, 6);
    expect(fitViewport(image, { width: 0, height: 0 }).scale).toBe(1);
  });
});

it('keeps a moved image in its frame: in the middle where it fits, else over the whole frame', () => {
  const frame = { width: 400, height: 300 };
  const image = { width: 100, height: 100 };
  expect(clampViewport({ scale: 2, x: -900, y: 700 }, image, frame)).toEqual({ scale: 2, x: 100, y: 50 });
  expect(clampViewport({ scale: 10, x: 500, y: -5000 }, image, frame)).toEqual({ scale: 10, x: 12, y: -712 });
  expect(clampViewport({ scale: 10, x: -20, y: -30 }, image, frame)).toEqual({ scale: 10, x: -20, y: -30 });
});
