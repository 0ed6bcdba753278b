import sharp from 'sharp';
import { expect, it } from 'vitest';
import { encodeImage, encodeMask } from './encode-image.ts';
import { products } from './products.ts';
import { renderDemoSet } from './render-demo-set.ts';

const OPTIONS = { good: 3, testGood: 2, testDefect: 9, width: 64, height: 64 };

it('plans training and test samples with unique names, kinds taking turns', () => {
  for (const product of products) {
    const set = renderDemoSet(product, 1, OPTIONS);
    expect(set.training.map((sample) => sample.defect)).toEqual([undefined, undefined, undefined]);
    expect(set.test.length).toBe(11);
    expect(new Set(set.test.flatMap((sample) => sample.defect ?? [])).size).toBe(product.defects.length);
    const names = [...set.training, ...set.test].map((sample) => sample.name);
    expect(new Set(names).size).toBe(names.length);
  }
});

it('draws a sample the same whatever was drawn before it', () => {
  const product = products[0]!;
  const first = renderDemoSet(product, 7, OPTIONS);
  const second = renderDemoSet(product, 7, OPTIONS);
  first.training[0]!.render();
  expect(first.test[4]!.render()).toEqual(second.test[4]!.render());
  expect(renderDemoSet(product, 8, OPTIONS).test[4]!.render()).not.toEqual(second.test[4]!.render());
});

it('moves samples when asked to', () => {
  const product = products[1]!;
  const still = renderDemoSet(product, 7, OPTIONS).training[0]!.render().image.data;
  const moved = renderDemoSet(product, 7, { ...OPTIONS, upTo: { shift: 0.1, degrees: 10 } });
  expect(moved.training[0]!.render().image.data).not.toEqual(still);
});

it('encodes pictures as files that decode to the same pixels', async () => {
  const { image, mask } = renderDemoSet(products[0]!, 1, OPTIONS).test[3]!.render();
  const decoded = await sharp(await encodeImage(image, 'png'))
    .raw()
    .toBuffer();
  expect(new Uint8Array(decoded)).toEqual(image.data);
  const jpeg = await sharp(await encodeImage(image, 'jpeg')).metadata();
  expect([jpeg.format, jpeg.width, jpeg.height]).toEqual(['jpeg', 64, 64]);
  const outline = await sharp(await encodeMask(mask, 64, 64))
    .toColourspace('b-w')
    .raw()
    .toBuffer();
  expect([...outline].map((level) => (level > 127 ? 1 : 0))).toEqual([...mask]);
});
