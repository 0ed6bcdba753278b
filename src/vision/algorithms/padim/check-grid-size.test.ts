import { expect, it } from 'vitest';
import { tinyBackbone } from '../../../../test/vision/tiny-backbone.ts';
import { toEnglish } from '../../engine-messages.ts';
import { createRandom } from '../../math/random.ts';
import { prepareImage } from '../../preprocess/prepared-image.ts';
import { checkGridSize, MOST_BYTES } from './check-grid-size.ts';
import { fitPadim } from './fit.ts';

it.each([
  [256, 128],
  [512, 128],
  [1024, 48],
  [1024, 64],
])('lets an input of %i with %i channels pass', (imageSize, channels) => {
  const side = imageSize / 8;
  expect(() => checkGridSize({ rows: side, columns: side }, channels, imageSize)).not.toThrow();
});

it('names what would fit, and that does', () => {
  const grid = { rows: 96, columns: 168 };
  const refusal = () => checkGridSize(grid, 128, 1024);
  expect(refusal).toThrow(/^image_size 1024 with channels 128 would make a model of 533 MB, more than the 140 MB/);
  expect(refusal).toThrow(/Set channels to 65 or less, or image_size to 512 or less\.$/);
  expect(() => checkGridSize(grid, 65, 1024)).not.toThrow();
  expect(() => checkGridSize(grid, 66, 1024)).toThrow();
  expect((4 * 96 * 168 * 128 * 129) / 2 / 4).toBeLessThan(MOST_BYTES);
});

it('is looked at before anything is learned', async () => {
  const image = { width: 64, height: 64, data: new Uint8Array(64 * 64 * 3) };
  const sample = { itemId: 'a', name: 'a', good: true, regions: [], load: async () => prepareImage(image) };
  const texts: string[] = [];
  const training = fitPadim({
    samples: [sample],
    params: {
      image_size: 1024,
      channels: 96,
      prior_images: 20,
      false_alarm_rate: 0.01,
      smoothing: 1,
      drop_outliers: true,
    },
    backbone: tinyBackbone({ eighth: 64 }),
    threads: 1,
    random: createRandom(1),
    signal: new AbortController().signal,
    report: ({ doing }) => texts.push(toEnglish(doing)),
  });
  await expect(training).rejects.toThrow(/^image_size 1024 with channels 96 would make a model of 305 MB/);
  expect(texts).toEqual(['looking at the images']);
});
