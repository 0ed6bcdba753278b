import { readFile } from 'node:fs/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { IDENTITY } from '../math/affine.ts';
import { gaussianBlur } from '../math/gaussian-blur.ts';
import type { RgbImage } from '../types.ts';
import type { InspectedMap } from './inspected-map.ts';
import { mapRegions } from './map-regions.ts';
import { openOutliner } from './outline-network.ts';

const SIZE = 320;
const frame = {
  image: { width: SIZE, height: SIZE },
  toOriginal: IDENTITY,
  originalWidth: SIZE,
  originalHeight: SIZE,
};
const outliner = openOutliner(await readFile(new URL('../../../assets/outlines/outlines.onnx', import.meta.url)));
afterAll(() => outliner.dispose());

type Shape = (x: number, y: number) => boolean;
const disc =
  (centreX: number, centreY: number, radius: number): Shape =>
  (x, y) =>
    Math.hypot(x - centreX, y - centreY) < radius;

/** A picture whose pixels are `inside` where `has` says so and 130 elsewhere, with a fine grain. */
function picture(has: Shape, inside: number): RgbImage {
  const data = new Uint8Array(SIZE * SIZE * 3);
  for (let y = 0, at = 0; y < SIZE; y++)
    for (let x = 0; x < SIZE; x++, at += 3)
      data.fill((has(x + 0.5, y + 0.5) ? inside : 130) + ((x * 7 + y * 13) % 5) - 2, at, at + 3);
  return { width: SIZE, height: SIZE, data };
}

/** A map with a cell for 4 × 4 pixels that shows the shape much wider than it is. Its limit is 1. */
function blurredMap(has: Shape): InspectedMap {
  const side = SIZE / 4;
  const shown = Float32Array.from({ length: side * side }, (_, cell) =>
    has(4 * (cell % side) + 2, 4 * Math.floor(cell / side) + 2) ? 1 : 0,
  );
  const { data } = gaussianBlur({ rows: side, columns: side, data: shown }, 6);
  const highest = data.reduce((most, value) => Math.max(most, value), 0);
  const map = { rows: side, columns: side, data: data.map((value) => 0.4 + (1.6 * value) / highest) };
  return { map, inspected: new Uint8Array(side * side).fill(1), refinement: 4 };
}

const outline = (map: InspectedMap, canvas: RgbImage) =>
  outliner.outline(mapRegions(map, frame, 1), map, canvas, frame, 1);

describe('the network of outlines', () => {
  it.each([
    ['dark', 60],
    ['bright', 200],
  ])('puts the outline of a %s spot on its edge, where the map shows a wider one', async (_, inside) => {
    const spot = disc(150, 170, 14);
    const map = blurredMap(spot);
    const [byMap] = mapRegions(map, frame, 1);
    expect(byMap!.xMax - byMap!.xMin).toBeGreaterThan(36);
    const [region, ...others] = await outline(map, picture(spot, inside));
    expect(others).toEqual([]);
    expect(region!.outline!.length).toBeGreaterThan(7);
    for (const [x, y] of region!.outline!) expect(Math.abs(Math.hypot(x - 150, y - 170) - 14)).toBeLessThan(4);
    for (const [side, place] of [
      [region!.xMin, 136],
      [region!.xMax, 164],
      [region!.yMin, 156],
      [region!.yMax, 184],
    ] as const)
      expect(Math.abs(side - place)).toBeLessThan(4);
    // Score and area are those of the map: the verdict does not depend on the outline.
    expect([region!.rawScore, region!.area]).toEqual([byMap!.rawScore, byMap!.area]);
  });

  it('finds the same outline at the border of the image, whatever was outlined before', async () => {
    const spot = disc(8, 300, 16);
    const [map, canvas] = [blurredMap(spot), picture(spot, 60)];
    const [first] = await outline(map, canvas);
    for (const [x, y] of first!.outline!) {
      expect(x).toBeGreaterThanOrEqual(0);
      expect(y).toBeLessThanOrEqual(SIZE);
    }
    expect(first!.xMin).toBe(0);
    expect(Math.abs(first!.xMax - 24)).toBeLessThan(5);
    const other = disc(150, 170, 40);
    await outline(blurredMap(other), picture(other, 200));
    expect(await outline(map, canvas)).toEqual([first]);
  });

  it('stays in what is inspected', async () => {
    const spot = disc(150, 170, 14);
    const map = blurredMap(spot);
    for (let cell = 0; cell < map.inspected.length; cell++) if (cell % 80 < 38) map.inspected[cell] = 0;
    const [region] = await outline(map, picture(spot, 60));
    for (const [x] of region!.outline!) expect(x).toBeGreaterThanOrEqual(151);
  });

  it('gives a large region a rectangle around the outline and what the map shows', async () => {
    const patch = disc(160, 160, 70);
    const map = { ...blurredMap(patch), refinement: 2 };
    const [byMap] = mapRegions(map, frame, 1);
    const [region] = await outline(map, picture(disc(160, 160, 30), 60));
    expect([region!.xMin, region!.xMax]).toEqual([byMap!.xMin, byMap!.xMax]);
    expect(Math.min(...region!.outline!.map(([x]) => x))).toBeGreaterThan(byMap!.xMin + 20);
  });

  it('outlines the ten highest regions, and none that an algorithm found itself', async () => {
    const spot = disc(150, 170, 14);
    const map = blurredMap(spot);
    const canvas = picture(spot, 60);
    const [byMap] = mapRegions(map, frame, 1);
    const many = Array.from({ length: 12 }, () => byMap!);
    const outlined = await outliner.outline(many, map, canvas, frame, 1);
    expect(outlined.map((region) => region === byMap)).toEqual(many.map((_, at) => at >= 10));
    const { grown: _, ...own } = byMap!;
    expect(await outliner.outline([own], map, canvas, frame, 1)).toEqual([own]);
  });

  it.each([
    [1, 1],
    [1, 40],
    [40, 2],
  ])('keeps a place inside the image on a map of %d × %d cells', async (rows, columns) => {
    const map = { rows, columns, data: new Float32Array(rows * columns).fill(2) };
    const whole = { map, inspected: new Uint8Array(rows * columns).fill(1), refinement: 1 };
    const canvas = { width: 16 * columns, height: 16 * rows, data: new Uint8Array(768 * rows * columns).fill(90) };
    canvas.data.fill(200, 0, 300 * rows);
    const turned = { ...IDENTITY, a: 0, b: -1, c: 90, d: 1, e: 0 };
    const tiny = { image: { width: 70, height: 90 }, toOriginal: turned, originalWidth: 90, originalHeight: 70 };
    const [region, ...others] = await outliner.outline(mapRegions(whole, tiny, 1), whole, canvas, tiny, 1);
    expect(others).toEqual([]);
    expect(region!.xMin).toBeGreaterThanOrEqual(0);
    expect(region!.xMax).toBeGreaterThan(region!.xMin);
    expect(region!.xMax).toBeLessThanOrEqual(90);
    expect(region!.yMax).toBeGreaterThan(region!.yMin);
    expect(region!.yMax).toBeLessThanOrEqual(70);
  });

  it('has an outline for a limit of 0', async () => {
    const spot = disc(150, 170, 14);
    const map = blurredMap(spot);
    const [region] = await outliner.outline(mapRegions(map, frame, 0), map, picture(spot, 60), frame, 0);
    expect(region!.outline!.every(([x, y]) => Number.isFinite(x) && Number.isFinite(y))).toBe(true);
  });
});
