import { describe, expect, it } from 'vitest';
import { applyAffine, IDENTITY, invertAffine } from '../math/affine.ts';
import type { ScoreMap } from '../types.ts';
import {
  highestScore,
  type InspectedMap,
  inspectedScore,
  inspectionOf,
  inspectMap,
  NO_MARGINS,
  parseIgnoreOuter,
} from './inspected-map.ts';
import { mapRegions } from './map-regions.ts';

/** 8×8 cells over 80×80 pixels: 1 everywhere, 5 in one cell. */
function spotMap(row: number, column: number): ScoreMap {
  const data = new Float32Array(64).fill(1);
  data[row * 8 + column] = 5;
  return { rows: 8, columns: 8, data };
}
const frame = { image: { width: 80, height: 80 }, toOriginal: IDENTITY, originalWidth: 80, originalHeight: 80 };

/** Cells of 10×10 pixels: lines from the fourth on, 1 elsewhere. */
function linesMap(lines: readonly (readonly number[])[], refinement: number): InspectedMap {
  const data = new Float32Array(64).fill(1);
  data.set(lines.flat(), 8 * 3);
  return { map: { rows: 8, columns: 8, data }, inspected: new Uint8Array(64).fill(1), refinement };
}

describe('mapRegions', () => {
  it('frames the spot, with its peak and area', () => {
    const inspected = inspectMap(spotMap(2, 5), frame, NO_MARGINS);
    expect(highestScore(inspected)).toBe(5);
    const [region, ...others] = mapRegions(inspected, frame, 3);
    expect(others).toEqual([]);
    expect(region?.rawScore).toBe(5);
    // Half of the height is reached half a cell away from the centre at (55, 25).
    expect(region).toMatchObject({ xMin: 50, xMax: 60, yMin: 20, yMax: 30 });
    expect(region?.area).toBeGreaterThan(30);
    expect(region?.area).toBeLessThanOrEqual(100);
  });

  it('drops small areas, finds a spot exactly at the limit, and none over it', () => {
    const inspected = inspectMap(spotMap(2, 5), frame, NO_MARGINS);
    expect(mapRegions(inspected, frame, 5)).toHaveLength(1);
    expect(mapRegions(inspected, frame, 5.001)).toEqual([]);
    // A region goes down to a share of the peak, however low the limit is.
    expect(mapRegions(inspected, frame, 0)[0]).toMatchObject({ xMin: 48, yMin: 18, xMax: 62, yMax: 32, area: 148 });
  });

  it('grows a region from the limit to a lower one, and no region where nothing reaches the limit', () => {
    const inspected = linesMap([[1, 9.5, 10, 9.5, 8, 1, 9.5, 1]], 1);
    expect(mapRegions(inspected, frame, 10)).toMatchObject([
      { xMin: 10, xMax: 40, yMin: 30, yMax: 40, area: 300, rawScore: 10 },
    ]);
    // The cell that reaches the limit is not inspected.
    inspected.inspected[8 * 3 + 2] = 0;
    expect(mapRegions(inspected, frame, 10)).toEqual([]);
  });

  it('drops the lowest cells of a large part: the map shows a defect wider than it is', () => {
    const hem = [1, 9, 9, 9, 9, 9, 9, 1];
    const middle = [1, 9, 12, 14, 13, 12, 9, 1];
    const inspected = linesMap([hem, middle, middle, middle, hem], 1);
    expect(mapRegions(inspected, frame, 10)).toMatchObject([
      { xMin: 20, xMax: 60, yMin: 40, yMax: 70, area: 1200, rawScore: 14 },
    ]);
    // Less than four cells of the algorithm's map stay as they are.
    expect(mapRegions({ ...inspected, refinement: 4 }, frame, 10)[0]?.area).toBe(3000);
  });

  it('gives a lower peak a region of its own where it stands out from the path to the higher one', () => {
    const regions = (saddle: number) => mapRegions(linesMap([[1, 12, 20, saddle, 16, 12, 1, 1]], 1), frame, 10);
    expect(regions(11)).toMatchObject([
      { xMin: 10, xMax: 30, rawScore: 20 },
      { xMin: 40, xMax: 60, rawScore: 16 },
    ]);
    expect(regions(14)).toMatchObject([{ xMin: 10, xMax: 60, rawScore: 20 }]);
    // Two equal peaks and a plateau.
    expect(mapRegions(linesMap([[1, 20, 20, 9, 20, 20, 1, 1]], 1), frame, 10)).toHaveLength(2);
    expect(mapRegions(linesMap([[1, 20, 20, 20, 20, 20, 1, 1]], 1), frame, 10)).toHaveLength(1);
  });

  it('outlines a region, and tells the cells that it grew to before it was trimmed', () => {
    const hem = [1, 9, 9, 9, 9, 9, 9, 1];
    const middle = [1, 9, 12, 14, 13, 12, 9, 1];
    const [region] = mapRegions(linesMap([hem, middle, middle, middle, hem], 1), frame, 10);
    expect(region).toMatchObject({ xMin: 20, xMax: 60, yMin: 40, yMax: 70 });
    expect(region?.outline).toEqual([
      [20, 40],
      [60, 40],
      [60, 70],
      [20, 70],
    ]);
    expect(region?.grown).toHaveLength(30);
  });

  it('does not look at margins and ignored areas', () => {
    const corner = spotMap(0, 0);
    expect(highestScore(inspectMap(corner, frame, parseIgnoreOuter('10px')))).toBeLessThan(3.1);
    expect(highestScore(inspectMap(corner, frame, parseIgnoreOuter('20%')))).toBe(1);
    const inspected = new Uint8Array(6400).fill(1);
    for (let y = 0; y < 20; y++) inspected.fill(0, y * 80, y * 80 + 20);
    expect(highestScore(inspectMap(corner, { ...frame, inspected }, NO_MARGINS))).toBe(1);
    const nothing = inspectMap(corner, { ...frame, inspected: new Uint8Array(6400) }, NO_MARGINS);
    expect(highestScore(nothing)).toBe(0);
    expect(mapRegions(nothing, frame, 0)).toEqual([]);
  });

  it('scores by what is known to be inspected as by the image itself, though it is kept for later', () => {
    const original = { ...frame, originalWidth: 70, originalHeight: 80 };
    const inspected = Uint8Array.from({ length: 6400 }, (_, pixel) => (pixel % 80 < 17 && pixel < 1360 ? 0 : 1));
    for (const [map, of] of [
      [spotMap(0, 0), { ...original, inspected }],
      [spotMap(0, 7), original],
      [spotMap(5, 1), { ...frame, inspected }],
      [spotMap(5, 1), frame],
    ] as const)
      expect(inspectedScore(map, inspectionOf(map, of))).toBe(highestScore(inspectMap(map, of, NO_MARGINS)));
    expect(inspectedScore(spotMap(0, 0), inspectionOf({ rows: 8, columns: 8 }, { ...frame, inspected }))).toBeLessThan(
      3,
    );
    expect(inspectionOf({ rows: 8, columns: 8 }, frame)).toBeUndefined();
  });

  it('gives pixels of the original after a crop, a reduction and a quarter turn', () => {
    // prepared (x, y) = original (100 + 2·y, 300 − 2·x)
    const toOriginal = { a: 0, b: 2, c: 100, d: -2, e: 0, f: 300 };
    const turned = { ...frame, toOriginal, originalWidth: 500, originalHeight: 400 };
    const [region] = mapRegions(inspectMap(spotMap(2, 5), turned, NO_MARGINS), turned, 3);
    expect(region).toMatchObject({ xMin: 140, xMax: 160, yMin: 180, yMax: 200 });
    const [x, y] = applyAffine(invertAffine(toOriginal), ...applyAffine(toOriginal, 7, 9));
    expect([x, y]).toEqual([7, 9]);
  });
});
