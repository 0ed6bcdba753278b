import { expect, it } from 'vitest';
import { inspectMap, NO_MARGINS, parseIgnoreOuter } from '../anomaly-map/inspected-map.ts';
import type { PreparedImage, Region } from '../types.ts';
import { findRegions } from './find-regions.ts';

const region = (xMin: number, yMin: number): Region => ({
  ...{ xMin, yMin, xMax: xMin + 10, yMax: yMin + 10, area: 100 },
  rawScore: 2,
});
const [left, right] = [region(10, 10), region(120, 60)];
/** Half as large as the original, its right half ignored. */
const prepared: PreparedImage = {
  image: { width: 100, height: 50, data: new Uint8Array(15_000) },
  toOriginal: { a: 2, b: 0, c: 0, d: 0, e: 2, f: 0 },
  originalWidth: 200,
  originalHeight: 100,
  inspected: Uint8Array.from({ length: 5000 }, (_, at) => (at % 100 < 50 ? 1 : 0)),
};
const prediction = { map: { rows: 5, columns: 10, data: new Float32Array(50).fill(2) }, regions: [left, right] };

it("keeps an algorithm's own regions whose middle is inspected: in no margin, in no ignored area", () => {
  const found = (frame: PreparedImage, margins = NO_MARGINS) =>
    findRegions(prediction, inspectMap(prediction.map, frame, margins), frame, {
      rawLimit: 1,
      margins,
      minDetectedArea: 0,
    }).found;
  const { inspected: _, ...everywhere } = prepared;
  expect(found(everywhere)).toEqual([left, right]);
  expect(found(prepared)).toEqual([left]);
  expect(found(everywhere, parseIgnoreOuter('20px'))).toEqual([right]);
});

it('counts no score of a region that is too small, so that OK and the score agree', () => {
  const map = { rows: 5, columns: 10, data: new Float32Array(50).fill(0.25) };
  map.data.set([0.75, 2], 12);
  map.data.set([1.5, 1.5], 31);
  map.data.set([1.5, 1.5], 41);
  const { inspected: _, ...frame } = prepared;
  const inspected = inspectMap(map, frame, NO_MARGINS);
  const find = (minDetectedArea: number, regions?: readonly Region[]) => {
    const limits = { rawLimit: 1, margins: NO_MARGINS, minDetectedArea };
    const { found, rawScore } = findRegions(regions ? { map, regions } : { map }, inspected, frame, limits);
    return [found.map((region) => region.rawScore), rawScore];
  };
  expect(find(0)).toEqual([[2, 1.5], 2]);
  expect(find(800)).toEqual([[1.5], 1.5]);
  const [none, below] = find(1e6);
  expect(none).toEqual([]);
  expect(below).toBeGreaterThan(0.75);
  expect(below).toBeLessThan(1);
  expect(find(0, [left])).toEqual([[2], 2]);
  expect(find(101, [left, { ...right, area: 500, rawScore: 1.75 }])).toEqual([[1.75], 1.75]);
});

it('gives no region a higher score than its image, whatever the limits, and counts none that is not inspected', () => {
  const map = { rows: 5, columns: 10, data: new Float32Array(50).fill(1.5) };
  const score = (regions: readonly Region[] | undefined, margins = NO_MARGINS) =>
    findRegions(regions ? { map, regions } : { map }, inspectMap(map, prepared, margins), prepared, {
      rawLimit: 1,
      margins,
      minDetectedArea: 0,
    }).rawScore;
  expect(score([left])).toBe(2);
  expect(
    score([
      { ...left, area: 0 },
      { ...left, rawScore: 0.1 },
    ]),
  ).toBe(2);
  for (const regions of [undefined, [], [{ ...left, rawScore: 0.1 }], [right]]) expect(score(regions)).toBe(1.5);
  expect(score([left], parseIgnoreOuter('20px'))).toBe(1.5);
});
