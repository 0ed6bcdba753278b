import { expect, it } from 'vitest';
import { prepared, productSample } from '../../../test/vision/synthetic-product.ts';
import { say, toEnglish } from '../engine-messages.ts';
import type { TrainingSample } from '../types.ts';
import { noteRemarks } from './note-remarks.ts';

const image = { width: 1, height: 1, data: new Uint8Array(3) };
const remarked = (name: string, match: number): TrainingSample => ({
  ...productSample(name, image),
  load: async () => ({ ...prepared(image), remarks: [say('align.not-found', { match })] }),
});

it('sums up what preprocessing said, each image once however often it is loaded', async () => {
  const { samples, summary } = noteRemarks([productSample('a', image), remarked('b', 3), remarked('c', 5)]);
  expect(summary()).toEqual([]);
  for (const sample of [...samples, ...samples].reverse()) await sample.load();
  expect(summary().map(toEnglish)).toEqual([
    'Preprocessing failed on 2 of 3 images, as on b: align: the product was not found in this image (match 3 %), so the image was left where it is.',
  ]);
});
