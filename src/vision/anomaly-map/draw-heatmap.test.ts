import { describe, expect, it } from 'vitest';
import { decodeImage, probeImage } from '../image/decode-image.ts';
import { IDENTITY } from '../math/affine.ts';
import type { PreparedImage, RgbImage, ScoreMap } from '../types.ts';
import { drawHeatmap, makeAnomalyMap } from './anomaly-map.ts';
import { inspectMap, NO_MARGINS, parseIgnoreOuter } from './inspected-map.ts';

const grey = (width: number, height: number): RgbImage => ({
  width,
  height,
  data: new Uint8Array(width * height * 3).fill(128),
});
const whole = (image: RgbImage): PreparedImage => ({
  image,
  toOriginal: IDENTITY,
  originalWidth: image.width,
  originalHeight: image.height,
});

const draw = (original: RgbImage, map: ScoreMap, prepared: PreparedImage, margins = NO_MARGINS) =>
  drawHeatmap(original, makeAnomalyMap(map, inspectMap(map, prepared, margins), 1, prepared));

describe('drawHeatmap', () => {
  it('reddens the anomaly and leaves the ordinary as it is', async () => {
    const image = grey(200, 100);
    const data = new Float32Array(32).fill(0.1);
    data[6] = 4; // row 0, column 6 of 4 rows, 8 columns: around (162, 12)
    const jpeg = await draw(image, { rows: 4, columns: 8, data }, whole(image));
    const overlay = await decodeImage(jpeg);
    const at = (x: number, y: number): number[] => [...overlay.data.subarray((y * 200 + x) * 3, (y * 200 + x) * 3 + 3)];
    const [red = 0, green = 0] = at(162, 12);
    expect(red - green).toBeGreaterThan(90);
    for (const value of at(40, 80)) expect(Math.abs(value - 128)).toBeLessThan(6);
  });

  it('draws in the place of the original when a step moved the image, reduced by a whole number', async () => {
    const original = grey(2000, 500);
    // The prepared image is the right half, reduced to half.
    const prepared = {
      image: grey(500, 250),
      toOriginal: { a: 2, b: 0, c: 1000, d: 0, e: 2, f: 0 },
      originalWidth: 2000,
      originalHeight: 500,
    };
    const map = { rows: 1, columns: 1, data: Float32Array.of(9) };
    const jpeg = await draw(original, map, prepared);
    expect(await probeImage(jpeg)).toEqual({ format: 'jpeg', width: 667, height: 167 });
    const overlay = await decodeImage(jpeg);
    const redness = (x: number): number =>
      (overlay.data[(80 * 667 + x) * 3] ?? 0) - (overlay.data[(80 * 667 + x) * 3 + 1] ?? 0);
    expect(Math.abs(redness(170))).toBeLessThan(10);
    expect(redness(500)).toBeGreaterThan(90);
  });

  it('leaves what is not inspected without colour', async () => {
    const image = grey(200, 100);
    const half = {
      ...whole(image),
      inspected: Uint8Array.from({ length: 20_000 }, (_, at) => (at % 200 < 100 ? 1 : 0)),
    };
    const map = { rows: 4, columns: 8, data: new Float32Array(32).fill(4) };
    const overlay = await decodeImage(await draw(image, map, half, parseIgnoreOuter('0 0 0 40px')));
    const redness = (x: number): number =>
      (overlay.data[(50 * 200 + x) * 3] ?? 0) - (overlay.data[(50 * 200 + x) * 3 + 1] ?? 0);
    expect(redness(70)).toBeGreaterThan(90);
    for (const x of [20, 130, 190]) expect(Math.abs(redness(x))).toBeLessThan(10);
  });
});
