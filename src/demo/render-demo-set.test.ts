import sharp from 'sharp';
import { expect, it } from 'vitest';
import { encodeImage } from './encode-image.ts';
import { products } from './products.ts';
import { renderDemoSet } from './render-demo-set.ts';

const OPTIONS = { good: 3, testGood: 2, testDefect: 9, width: 64, height: 64 };
const product = products[0]!;

it('plans training and test samples with unique names, kinds of defects taking turns', () => {
  for (const each of products) {
    const set = renderDemoSet(each, 1, OPTIONS);
    expect(set.training.map((sample) => sample.defect)).toEqual([undefined, undefined, undefined]);
    expect(set.test.length).toBe(11);
    expect(new Set(set.test.flatMap((sample) => sample.defect ?? [])).size).toBe(each.defects.length);
    const names = [...set.training, ...set.test].map((sample) => sample.name);
    expect(new Set(names).size).toBe(names.length);
  }
});

it('draws a sample the same whatever was drawn before it', async () => {
  const first = renderDemoSet(product, 7, OPTIONS);
  const second = renderDemoSet(product, 7, OPTIONS);
  await first.training[0]!.render();
  expect(await first.test[4]!.render()).toEqual(await second.test[4]!.render());
  expect(await renderDemoSet(product, 8, OPTIONS).test[4]!.render()).not.toEqual(await second.test[4]!.render());
});

it('encodes pictures as files that decode to the same pixels', async () => {
  const { image } = await renderDemoSet(product, 1, OPTIONS).test[3]!.render();
  const decoded = await sharp(await encodeImage(image, 'png'))
    .raw()
    .toBuffer();
  expect(new Uint8Array(decoded)).toEqual(image.data);
  const jpeg = await sharp(await encodeImage(image, 'jpeg')).metadata();
  expect([jpeg.format, jpeg.width, jpeg.height]).toEqual(['jpeg', 64, 64]);
});
