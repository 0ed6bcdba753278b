import { expect, it } from 'vitest';
import { gaussianBlur } from '../math/gaussian-blur.ts';
import type { RgbImage } from '../types.ts';
import { fitToEdges } from './fit-to-edges.ts';
import { traceOutline } from './trace-outline.ts';

const SIZE = 160;

/** A picture whose pixels are `inside` where `has` says so and `outside` elsewhere, with a fine grain. */
function picture(has: (x: number, y: number) => boolean, inside: number, outside: number): RgbImage {
  const data = new Uint8Array(SIZE * SIZE * 3);
  for (let y = 0, at = 0; y < SIZE; y++)
    for (let x = 0; x < SIZE; x++, at += 3)
      data.fill((has(x + 0.5, y + 0.5) ? inside : outside) + ((x * 7 + y * 13) % 5) - 2, at, at + 3);
  return { width: SIZE, height: SIZE, data };
}

/** A map with a cell for 2 × 2 pixels: the cells where it shows the shape, blurred, at two levels. */
function blurredMap(has: (x: number, y: number) => boolean) {
  const side = SIZE / 2;
  const data = Float32Array.from({ length: side * side }, (_, cell) =>
    has(2 * (cell % side) + 1, 2 * Math.floor(cell / side) + 1) ? 1 : 0,
  );
  const map = gaussianBlur({ rows: side, columns: side, data }, 6);
  const highest = Math.max(...map.data);
  const over = (share: number) =>
    Int32Array.from([...map.data.keys()].filter((cell) => map.data[cell]! >= share * highest));
  return { rows: side, columns: side, region: over(0.4), grown: over(0.25) };
}

const disc = (x: number, y: number): boolean => Math.hypot(x - 70, y - 84) < 13;

for (const [name, inside] of [
  ['dark', 60],
  ['bright', 200],
] as const)
  it(`puts the outline of a ${name} spot on its edge, where the map shows a wider one`, () => {
    const map = blurredMap(disc);
    expect(map.region.length * 4).toBeGreaterThan(1.5 * Math.PI * 13 ** 2);
    const shape = fitToEdges(map, picture(disc, inside, 130));
    const outline = traceOutline(shape!);
    expect(outline.length).toBeGreaterThan(7);
    for (const [x, y] of outline) expect(Math.abs(Math.hypot(x - 70, y - 84) - 13)).toBeLessThan(2);
  });

it('keeps the region of the map where the picture has no edge that fits it', () => {
  const map = blurredMap(disc);
  expect(
    fitToEdges(
      map,
      picture(() => false, 0, 130),
    ),
  ).toBeUndefined();
  // An edge that only passes by.
  expect(
    fitToEdges(
      map,
      picture((x) => x < 40, 60, 130),
    ),
  ).toBeUndefined();
});

it('reduces what is large, and follows its edge as exactly as the reduced pixels show it', () => {
  const large = (x: number, y: number): boolean => x > 20 && x < 140 && y > 30 && y < 120;
  const shape = fitToEdges(blurredMap(large), picture(large, 60, 130))!;
  expect(Math.max(shape.rows, shape.columns)).toBeLessThanOrEqual(96);
  const outline = traceOutline(shape);
  expect(outline).toHaveLength(4);
  for (const [x, y] of outline) {
    expect(Math.min(Math.abs(x - 20), Math.abs(x - 140))).toBeLessThanOrEqual(2);
    expect(Math.min(Math.abs(y - 30), Math.abs(y - 120))).toBeLessThanOrEqual(2);
  }
});
