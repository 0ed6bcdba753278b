import { describe, expect, it } from 'vitest';
import { createRandom } from '../math/random.ts';
import { learnPlaceFactors } from './place-factors.ts';

const SIDE = 16;
const random = createRandom(5);

/** Maps of good products: twice as high in the right half, where they always vary more; the noise is each map's own. */
function itemMaps(count: number, { turned = false, images = 1 } = {}) {
  return Array.from({ length: count * images }, (_, index) => {
    const flip = turned && random.integer(2) === 1;
    const data = Float32Array.from({ length: SIDE * SIDE }, (_, cell) => {
      const isRight = cell % SIDE >= SIDE / 2;
      return (isRight !== flip ? 2 : 1) * Math.exp(0.1 * random.normal());
    });
    return { itemId: `item ${Math.floor(index / images)}`, map: { rows: SIDE, columns: SIDE, data } };
  });
}

const meanLog = (values: Float32Array): number =>
  values.reduce((sum, value) => sum + Math.log(value), 0) / values.length;

describe('learnPlaceFactors', () => {
  it('lowers the distances where good products vary more, and more so with more items', () => {
    const contrasts = [20, 200].map((items) => {
      const factors = learnPlaceFactors(itemMaps(items));
      if (!factors) throw new Error('no factors');
      expect(meanLog(factors)).toBeCloseTo(0, 2);
      return factors[SIDE - 2]! / factors[1]!;
    });
    const [few = 0, many = 0] = contrasts;
    expect(few).toBeLessThan(0.95);
    expect(many).toBeLessThan(few);
    // Never further than what the maps show.
    expect(many).toBeGreaterThan(0.5);
  });

  it('finds none where products turn', () => {
    expect(learnPlaceFactors(itemMaps(60, { turned: true }))).toBeUndefined();
  });

  it('finds none with few items, whatever the number of their images', () => {
    expect(learnPlaceFactors(itemMaps(7, { images: 10 }))).toBeUndefined();
    expect(learnPlaceFactors([])).toBeUndefined();
  });

  it('is not misled by images of one item that resemble one another', () => {
    // Each item varies in a place of its own: its images agree, the items do not.
    const maps = Array.from({ length: 40 }, (_, index) => {
      const item = index >> 1;
      const data = new Float32Array(SIDE * SIDE).fill(1);
      data.fill(4, item * 12, item * 12 + 12);
      return { itemId: `item ${item}`, map: { rows: SIDE, columns: SIDE, data } };
    });
    expect(learnPlaceFactors(maps)).toBeUndefined();
  });
});
