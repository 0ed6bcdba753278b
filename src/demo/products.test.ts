import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../vision/math/random.ts';
import { VISIBLE_LEVELS } from './picture/difference-mask.ts';
import { getDemoProduct, largeProducts, products } from './products.ts';

const SMALL = { width: 192, height: 192 };
/** The panel's defects are small on purpose. */
const LARGE = { width: 640, height: 480 };

function digest(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function largestChange(a: Uint8Array, b: Uint8Array, pixel: number): number {
  return Math.max(...[0, 1, 2].map((channel) => Math.abs(a[pixel * 3 + channel]! - b[pixel * 3 + channel]!)));
}

describe.each([...products, ...largeProducts].map((product) => [product.id, product] as const))(
  '%s',
  (_id, product) => {
    const SIZE = product.id === 'panel' ? LARGE : SMALL;

    it('draws the same picture from the same seed and another from another', () => {
      const draw = (seed: number): string => digest(product.render(createRandom(seed), SIZE).image.data);
      expect(draw(5)).toBe(draw(5));
      expect(draw(5)).not.toBe(draw(6));
    });

    it('has an empty mask where it is good', () => {
      expect(product.render(createRandom(5), SIZE).mask.every((value) => value === 0)).toBe(true);
    });

    it.each([...product.defects])('%s: visible, and the mask is what changed', (defect) => {
      for (const seed of product.id === 'panel' ? [11] : [11, 12, 13]) {
        const clean = product.render(createRandom(seed), SIZE).image.data;
        const { image, mask } = product.render(createRandom(seed), { ...SIZE, defect });
        let area = 0;
        let visible = 0;
        let unmarked = 0;
        for (let pixel = 0; pixel < mask.length; pixel++) {
          const changed = largestChange(clean, image.data, pixel) > VISIBLE_LEVELS;
          area += mask[pixel]!;
          if (changed) visible += 1;
          if (changed && mask[pixel] === 0) unmarked += 1;
        }
        expect(unmarked).toBe(0);
        expect(visible).toBeGreaterThanOrEqual(defect === 'speck' ? 3 : 10);
        // Closing small gaps is all that may be added.
        expect(area).toBeLessThanOrEqual(visible * 1.6);
        expect(area).toBeLessThan(mask.length * 0.2);
      }
    });

    it('draws any shape of picture', () => {
      const { image, mask } = product.render(createRandom(3), { width: 96, height: 64 });
      expect(image.data.length).toBe(96 * 64 * 3);
      expect(mask.length).toBe(96 * 64);
    });

    it('refuses unknown defects and impossible sizes by name', () => {
      expect(() => product.render(createRandom(1), { ...SIZE, defect: 'rust' })).toThrow(
        /has no defect "rust"; it has/,
      );
      expect(() => product.render(createRandom(1), { width: 0, height: 512 })).toThrow(/0×512/);
    });
  },
);

it('the panel has scratches six pixels wide at 4000×3000', () => {
  const panel = getDemoProduct('panel');
  // At a quarter of that size; its area over its length.
  const { mask } = panel.render(createRandom(4), { width: 1000, height: 750, defect: 'scratch' });
  let [left, right, top, bottom, area] = [1000, 0, 750, 0, 0];
  mask.forEach((set, at) => {
    if (!set) return;
    area += 1;
    left = Math.min(left, at % 1000);
    right = Math.max(right, at % 1000);
    top = Math.min(top, Math.floor(at / 1000));
    bottom = Math.max(bottom, Math.floor(at / 1000));
  });
  const widthAt3000 = (area / Math.hypot(right - left + 1, bottom - top + 1)) * 4;
  expect(widthAt3000).toBeGreaterThan(4);
  expect(widthAt3000).toBeLessThan(8.5);
});

it('names the products there are when asked for another', () => {
  expect(getDemoProduct('woven-fabric').name).toBe('Woven fabric');
  expect(() => getDemoProduct('teapot')).toThrow(/teapot.*machined-part/);
});
