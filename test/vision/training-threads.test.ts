import { describe, expect, it } from 'vitest';
import { withTrainingThreads } from '../../src/jobs/compute/training-threads.ts';
import { findAlgorithm } from '../../src/vision/algorithms/catalogue.ts';
import { parseParameterValues } from '../../src/vision/algorithms/contract/parameter-values.ts';
import { createRandom } from '../../src/vision/math/random.ts';
import { encodeModel } from '../../src/vision/model-file/model-file.ts';
import type { FitProgress } from '../../src/vision/training/fit-input.ts';
import { trainModel } from '../../src/vision/training/train-model.ts';
import { drawProduct, productSample } from './synthetic-product.ts';
import { tinyBackbone } from './tiny-backbone.ts';

const random = createRandom(8);
const samples = Array.from({ length: 26 }, (_, index) => productSample(`${index}`, drawProduct(random, false)));
const scratched = Array.from({ length: 4 }, (_, index) =>
  productSample(`NG ${index}`, drawProduct(random, true), false),
);

/** @param cancelAt fraction of the training at which it is cancelled */
async function train(
  id: string,
  threads: number,
  { cancelAt = 2, more = {} }: { cancelAt?: number; more?: Readonly<Record<string, string>> } = {},
): Promise<Buffer> {
  const algorithm = findAlgorithm(id);
  if (!algorithm) throw new Error(`There is no algorithm ${id}.`);
  const values = Object.entries({ image_size: '96', ...more }).map(([name, value]) => ({ name, value }));
  const parsed = parseParameterValues(algorithm, values);
  if ('issues' in parsed) throw new Error(JSON.stringify(parsed.issues));
  const backbone = { ...tinyBackbone(), id: 'tiny' };
  const learned = algorithm.attribute === 'supervised' ? [...samples, ...scratched] : samples;
  const cancellation = new AbortController();
  const { signal } = cancellation;
  const report = ({ fraction }: FitProgress): void => {
    if (fraction >= cancelAt) cancellation.abort();
  };
  const input = {
    algorithm,
    samples: learned,
    params: parsed.values,
    random: createRandom(1),
    backbone,
    signal,
    report,
  };
  const model = await withTrainingThreads((side) => trainModel({ ...input, ...side }), threads);
  return Buffer.from(encodeModel(model));
}

describe.each(['patchcore', 'padim', 'subspace'])('%s, trained by two threads', (id) => {
  it('is the same model as on one thread, to the last byte', async () => {
    const [one, two] = [await train(id, 1), await train(id, 2)];
    expect(two.equals(one)).toBe(true);
  });

  it.each([0, 0.3, 0.7])('can be cancelled at %d of it', async (cancelAt) => {
    await expect(train(id, 2, { cancelAt })).rejects.toMatchObject({ code: 'cancelled' });
  });
});

describe('defect-detector, trained with parts of a batch side by side', () => {
  it('is the same model as on one thread, to the last byte', async () => {
    const trainOn = (threads: number) => train('defect-detector', threads, { more: { training_steps: '40' } });
    expect((await trainOn(2)).equals(await trainOn(1))).toBe(true);
  });
});
