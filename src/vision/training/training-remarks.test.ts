import { describe, expect, it } from 'vitest';
import { drawProduct, prepared, productSample } from '../../../test/vision/synthetic-product.ts';
import { tinyBackbone } from '../../../test/vision/tiny-backbone.ts';
import { patchcore } from '../algorithms/catalogue.ts';
import { parseParameterValues } from '../algorithms/contract/parameter-values.ts';
import { say, toEnglish } from '../engine-messages.ts';
import { createRandom } from '../math/random.ts';
import type { TrainingSample } from '../types.ts';
import { dropCopies, noteRemarks, outlierRemarks, trainModel } from './train-model.ts';

const image = drawProduct(createRandom(1), false);
const sample = (name: string, content?: string, good = true): TrainingSample => ({
  ...productSample(name, image, good),
  ...(content === undefined ? {} : { content }),
});

it('leaves out good copies by their names, and keeps what is not known to be one', () => {
  const all = [sample('a', '1'), sample('b', '2'), sample('c', '1'), sample('d'), sample('e'), sample('f', '2', false)];
  const { samples, remarks } = dropCopies(all);
  expect(samples.map(({ name }) => name)).toEqual(['a', 'b', 'd', 'e', 'f']);
  expect(remarks.map(toEnglish)).toEqual([
    'Copies of other good images, not learned from: c.',
    'The same file with two verdicts; correct one: b (OK) and f (NG).',
  ]);
  expect(dropCopies([sample('a', '1'), sample('b', '2'), sample('c', '3', false), sample('d', '3', false)])).toEqual({
    samples: [expect.anything(), expect.anything(), expect.anything(), expect.anything()],
    remarks: [],
  });
});

it('makes a model of one image sent eight times that of the image', async () => {
  const parsed = parseParameterValues(patchcore, [{ name: 'image_size', value: '96' }]);
  if ('issues' in parsed) throw new Error(JSON.stringify(parsed.issues));
  const train = (samples: readonly TrainingSample[]) =>
    trainModel({
      ...{ algorithm: patchcore, samples, params: parsed.values, random: createRandom(1), backbone: tinyBackbone() },
      signal: new AbortController().signal,
      report: () => {},
    });
  const once = await train([sample('image')]);
  const often = await train(Array.from({ length: 8 }, (_, index) => sample(`image ${index}`, 'same')));
  expect(often.calibration).toEqual(once.calibration);
  expect(often.outliers).toEqual([]);
  expect(often.remarks.map(toEnglish).join(' ')).toMatch(
    /^With 1 good item, .* Copies of other good images, not learned from: image 1, image 2/,
  );
});

const remarked = (name: string, match: number): TrainingSample => ({
  ...productSample(name, image),
  load: async () => ({ ...prepared(image), remarks: [say('align.not-found', { match })] }),
});

it('sums up what preprocessing said, each image once however often it is loaded', async () => {
  const { samples, summary } = noteRemarks([productSample('a', image), remarked('b', 3), remarked('c', 5)]);
  expect(summary()).toEqual([]);
  for (const sample of [...samples, ...samples].reverse()) await sample.load();
  expect(summary().map(toEnglish)).toEqual([
    'Preprocessing failed on 2 of 3 images, as on b: align: the product was not found in this image (match 3\u00a0%), so the image was left where it is.',
  ]);
});

describe('outlierRemarks', () => {
  it('names the outliers and the doubtful images, the first ten of each', () => {
    expect(outlierRemarks([], [])).toEqual([]);
    const named = (name: string) => ({ name, itemId: `item of ${name}` });
    const remarks = outlierRemarks([named('a'), named('b')], [named('c')]);
    expect(remarks.map(({ values }) => values['item_ids'])).toEqual([['item of a', 'item of b'], ['item of c']]);
    expect(remarks.map(toEnglish)).toEqual([
      'Outliers, not learned from: a, b.',
      'Check whether these are good; they differ most: c.',
    ]);
    const [many] = outlierRemarks(
      Array.from({ length: 12 }, (_, index) => named(`p${index}`)),
      [],
    );
    expect(many && toEnglish(many)).toMatch(/p9, and 2 more\.$/);
    expect(many?.values['item_ids']).toHaveLength(10);
  });
});
