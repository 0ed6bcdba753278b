import { describe, expect, it } from 'vitest';
import { withTrainingThreads } from '../../src/jobs/compute/training-threads.ts';
import { findAlgorithm } from '../../src/vision/algorithms/catalogue.ts';
import { parseParameterValues } from '../../src/vision/algorithms/contract/parameter-values.ts';
import { createRandom } from '../../src/vision/math/random.ts';
import { encodeModel } from '../../src/vision/model-file/model-file.ts';
import { trainModel } from '../../src/vision/training/train-model.ts';
import { drawProduct, productSample } from './synthetic-product.ts';
import { tinyBackbone } from './tiny-backbone.ts';

const random = createRandom(8);
/** So many that it pays to start threads. */
const samples = Array.from({ length: 26 }, (_, index) => productSample(`${index}`, drawProduct(random, false)));
const scratched = Array.from({ length: 4 }, (_, index) =>
  productSample(`NG ${index}`, drawProduct(random, true), false),
);

async function train(
  id: string,
  threads: number,
  signal = new AbortController().signal,
  more: Readonly<Record<string, string>> = {},
): Promise<Buffer> {
  const algorithm = findAlgorithm(id);
  if (!algorithm) throw new Error(`There is no algorithm ${id}.`);
  const values = Object.entries({ image_size: '96', ...more }).map(([name, value]) => ({ name, value }));
  const parsed = parseParameterValues(algorithm, values);
  if ('issues' in parsed) throw new Error(JSON.stringify(parsed.issues));
  const backbone = { ...tinyBackbone(), id: 'tiny' };
  const learned = algorithm.attribute === 'supervised' ? [...samples, ...scratched] : samples;
  const input = { algorithm, samples: learned, params: parsed.values, random: createRandom(1), backbone, signal };
  const model = await withTrainingThreads((side) => trainModel({ ...input, ...side, report: () => {} }), threads);
  return Buffer.from(encodeModel(model));
}

describe.each(['patchcore', 'padim', 'subspace'])('%s, trained with images side by side', (id) => {
  it('is the same model as on one thread, to the last byte', async () => {
    const [one, two] = [await train(id, 1), await train(id, 2)];
    expect(two.equals(one)).toBe(true);
  });

  it('can be cancelled', async () => {
    await expect(train(id, 2, AbortSignal.abort())).rejects.toMatchObject({ code: 'cancelled' });
    await expect(train(id, 2, AbortSignal.timeout(400))).rejects.toMatchObject({ code: 'cancelled' });
  });
});

describe('defect-detector, trained with parts of a batch and images side by side', () => {
  it('is the same model as on one thread, to the last byte', async () => {
    const trainOn = (threads: number) => train('defect-detector', threads, undefined, { training_steps: '40' });
    expect((await trainOn(2)).equals(await trainOn(1))).toBe(true);
  });
});
