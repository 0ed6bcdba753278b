import { describe, expect, it } from 'vitest';
import { createRandom } from '../vision/math/random.ts';
import { renderProduct } from './demo-product.ts';
import { getDemoProduct, products } from './products.ts';

const SIZE = { width: 192, height: 192 };
/** A channel that changes by more levels than this is seen to change. */
const VISIBLE = 12;

describe.each(products.map((product) => [product.id, product] as const))('%s', (_id, product) => {
  it('looks the same from the same seed and otherwise from another', async () => {
    const draw = async (seed: number) => (await renderProduct(product, createRandom(seed), SIZE)).image.data;
    expect(await draw(5)).toEqual(await draw(5));
    expect(await draw(5)).not.toEqual(await draw(6));
  });

  it.each([...product.defects])('%s: visible, and all the rest of the picture stays as it was', async (defect) => {
    for (const seed of [11, 12, 13]) {
      const good = (await renderProduct(product, createRandom(seed), SIZE)).image.data;
      const bad = (await renderProduct(product, createRandom(seed), { ...SIZE, defect })).image.data;
      let visible = 0;
      let untouched = 0;
      for (let at = 0; at < good.length; at += 3) {
        const change = Math.max(...[0, 1, 2].map((channel) => Math.abs(good[at + channel]! - bad[at + channel]!)));
        if (change > VISIBLE) visible++;
        if (change === 0) untouched++;
      }
      expect(visible).toBeGreaterThanOrEqual(15);
      expect(untouched).toBeGreaterThan(0.75 * SIZE.width * SIZE.height);
    }
  });

  it('fills a picture of any shape', async () => {
    const { image } = await renderProduct(product, createRandom(3), { width: 96, height: 64 });
    expect(image.data.length).toBe(96 * 64 * 3);
    for (const pixel of [0, 95, 63 * 96, 64 * 96 - 1]) expect(image.data[pixel * 3]).toBeGreaterThan(20);
  });
});

it('names the known products when asked for another', () => {
  expect(getDemoProduct('printed-label').name).toBe('Printed label');
  expect(() => getDemoProduct('teapot')).toThrow(/teapot.*machined-part/);
});
