import { expect, it } from 'vitest';
import { drawProduct, productSample } from '../../../test/vision/synthetic-product.ts';
import { tinyBackbone } from '../../../test/vision/tiny-backbone.ts';
import { parseParameterValues } from '../algorithms/contract/parameter-values.ts';
import { patchcore } from '../algorithms/patchcore/patchcore.ts';
import { toEnglish } from '../engine-messages.ts';
import { createRandom } from '../math/random.ts';
import type { TrainingSample } from '../types.ts';
import { trainModel } from './train-model.ts';
import { withoutCopies } from './without-copies.ts';

const image = drawProduct(createRandom(1), false);
const sample = (name: string, content?: string, good = true): TrainingSample => ({
  ...productSample(name, image, good),
  ...(content === undefined ? {} : { content }),
});

it('leaves out good copies by their names, and keeps what is not known to be one', () => {
  const all = [sample('a', '1'), sample('b', '2'), sample('c', '1'), sample('d'), sample('e'), sample('f', '2', false)];
  const { samples, remarks } = withoutCopies(all);
  expect(samples.map(({ name }) => name)).toEqual(['a', 'b', 'd', 'e', 'f']);
  expect(remarks.map(toEnglish)).toEqual([
    'Copies of other good images, not learned from: c.',
    'The same file with two verdicts; correct one: b (OK) and f (NG).',
  ]);
  expect(withoutCopies([sample('a', '1'), sample('b', '2'), sample('c', '3', false), sample('d', '3', false)])).toEqual(
    {
      samples: [expect.anything(), expect.anything(), expect.anything(), expect.anything()],
      remarks: [],
    },
  );
});

it('makes a model of one photo sent eight times that of the photo', async () => {
  const parsed = parseParameterValues(patchcore, [{ name: 'image_size', value: '96' }]);
  if ('issues' in parsed) throw new Error(JSON.stringify(parsed.issues));
  const train = (samples: readonly TrainingSample[]) =>
    trainModel({
      ...{ algorithm: patchcore, samples, params: parsed.values, random: createRandom(1), backbone: tinyBackbone() },
      signal: new AbortController().signal,
      report: () => {},
    });
  const once = await train([sample('photo')]);
  const often = await train(Array.from({ length: 8 }, (_, index) => sample(`photo ${index}`, 'same')));
  expect(often.calibration).toEqual(once.calibration);
  expect(often.leftOut).toEqual([]);
  expect(often.remarks.map(toEnglish).join(' ')).toMatch(
    /^1 good item supports .* Copies of other good images, not learned from: photo 1, photo 2/,
  );
});
