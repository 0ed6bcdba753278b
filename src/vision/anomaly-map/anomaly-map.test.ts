import { describe, expect, it } from 'vitest';
import { IDENTITY } from '../math/affine.ts';
import { createRandom } from '../math/random.ts';
import type { PreparedImage } from '../types.ts';
import { decodeAnomalyMap, encodeAnomalyMap, makeAnomalyMap } from './anomaly-map.ts';
import { inspectMap, NO_MARGINS } from './inspected-map.ts';

function preparedOf(width: number, height: number): PreparedImage {
  const image = { width, height, data: new Uint8Array(width * height * 3) };
  return { image, toOriginal: IDENTITY, originalWidth: width, originalHeight: height };
}

function layerOf(width: number, height: number) {
  const random = createRandom(3);
  const map = { rows: 16, columns: 16, data: Float32Array.from({ length: 256 }, () => 4 * random.next()) };
  const prepared = preparedOf(width, height);
  return makeAnomalyMap(map, inspectMap(map, prepared, NO_MARGINS), 2, prepared);
}

describe('an anomaly map', () => {
  it.each([
    [1, 1],
    [40, 30],
    [1600, 1200],
    [3, 2000],
  ])('of an image of %i×%i comes back as it was', (width, height) => {
    const anomalyMap = layerOf(width, height);
    expect(new Set(anomalyMap.data).size).toBeGreaterThan(width * height > 1 ? 20 : 0);
    expect(decodeAnomalyMap(encodeAnomalyMap(anomalyMap), { width, height })).toEqual(anomalyMap);
  });

  it('has the threshold in the middle of its scale and takes a few kilobytes', () => {
    const prepared = preparedOf(64, 64);
    const map = { rows: 1, columns: 1, data: Float32Array.of(2) };
    const anomalyMap = makeAnomalyMap(map, inspectMap(map, prepared, NO_MARGINS), 2, prepared);
    expect(new Set(anomalyMap.data)).toEqual(new Set([128]));
    expect(encodeAnomalyMap(layerOf(4000, 3000)).length).toBeLessThan(8000);
  });
});
