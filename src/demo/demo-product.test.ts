import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { products } from '../../test/support/demo-images.ts';
import { createRandom } from '../vision/math/random.ts';
import { encodeJpeg, renderDemoSet, renderProduct } from './demo-product.ts';
import { machinedPart } from './machined-part.ts';

const COUNTS = { good: 3, testGood: 2, testDefect: 9 };
const SMALL = { width: 64, height: 64 };
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

it('plans training and test samples with unique names, kinds of defects taking turns', () => {
  const set = renderDemoSet(machinedPart, 1, COUNTS);
  expect(set.training.map((sample) => sample.defect)).toEqual([undefined, undefined, undefined]);
  expect(set.test.length).toBe(11);
  expect(new Set(set.test.flatMap((sample) => sample.defect ?? [])).size).toBe(machinedPart.defects.length);
  const names = [...set.training, ...set.test].map((sample) => sample.name);
  expect(new Set(names).size).toBe(names.length);
});

it('draws a sample the same whatever was drawn before it', async () => {
  const first = renderDemoSet(machinedPart, 7, COUNTS, SMALL);
  const second = renderDemoSet(machinedPart, 7, COUNTS, SMALL);
  await first.training[0]!.render();
  expect(await first.test[4]!.render()).toEqual(await second.test[4]!.render());
  const other = renderDemoSet(machinedPart, 8, COUNTS, SMALL);
  expect(await other.test[4]!.render()).not.toEqual(await second.test[4]!.render());
});

it('encodes pictures as JPEG files', async () => {
  const image = await renderDemoSet(machinedPart, 1, COUNTS, SMALL).test[3]!.render();
  const { format, width, height } = await sharp(await encodeJpeg(image)).metadata();
  expect([format, width, height]).toEqual(['jpeg', 64, 64]);
});
