import { describe, expect, it } from 'vitest';
import { createRandom } from '../math/random.ts';
import { resizeMap } from '../math/resize-map.ts';
import { blendScores } from './blend-scores.ts';
import { SCORE_COLOURS } from './score-colours.ts';

/** Every pixel, one by one. */
function slowBlend(pixels: Uint8Array, width: number, height: number, layer: Parameters<typeof blendScores>[1]) {
  const map = { rows: layer.height, columns: layer.width, data: Float32Array.from(layer.data) };
  const scores = resizeMap(map, height, width).data;
  return pixels.map((under, index) => {
    const colour = Math.round(scores[Math.floor(index / 3)] ?? 0) * 4;
    const alpha = (SCORE_COLOURS[colour + 3] ?? 0) / 255;
    return under * (1 - alpha) + (SCORE_COLOURS[colour + (index % 3)] ?? 0) * alpha;
  });
}

describe('blendScores', () => {
  it.each([
    [40, 30, 7, 5],
    [31, 44, 31, 44],
    [9, 8, 1, 1],
    [20, 3, 6, 1],
  ])('colours %d×%d pixels by %d×%d scores as pixel by pixel', (width, height, columns, rows) => {
    const random = createRandom(width);
    for (const density of [0, 0.1, 0.5, 1]) {
      const data = Uint8Array.from({ length: columns * rows }, () =>
        random.next() < density ? random.integer(256) : random.integer(97),
      );
      const pixels = Uint8Array.from({ length: width * height * 3 }, () => random.integer(256));
      const expected = slowBlend(pixels, width, height, { width: columns, height: rows, data });
      blendScores({ width, height, data: pixels }, { width: columns, height: rows, data });
      const off = pixels.reduce((most, value, index) => Math.max(most, Math.abs(value - (expected[index] ?? 0))), 0);
      // A score about midway between two colours may be rounded either way.
      expect(off).toBeLessThanOrEqual(8);
      if (density === 0) expect(off).toBe(0);
    }
  });
});
