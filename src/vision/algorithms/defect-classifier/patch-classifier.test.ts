import { describe, expect, it } from 'vitest';
import type { Matrix } from '../../math/matrix.ts';
import { createRandom } from '../../math/random.ts';
import { openMatrixProduct } from '../../onnx/open-matrix-product.ts';
import { openPatchClassifier, type Perceptron, trainPatchClassifier } from './patch-classifier.ts';

const pairs = (...data: number[]): Matrix => ({ rows: data.length / 2, columns: 2, data: Float32Array.from(data) });
/** Good where both signs are the same, of the other class where they differ. Far from 0, so that scaling counts. */
const CLASSES = [pairs(9, 9, 11, 11), pairs(9, 11, 11, 9)];
const ALL = pairs(9, 9, 11, 11, 9, 11, 11, 9);

async function train(signal = new AbortController().signal): Promise<Perceptron> {
  const product = await openMatrixProduct();
  try {
    return await trainPatchClassifier(CLASSES, { random: createRandom(5), product, signal });
  } finally {
    await product.dispose();
  }
}

describe('trainPatchClassifier', () => {
  it('learns what no linear rule can: which signs differ; the same weights every time', async () => {
    const network = await train();
    const classifier = await openPatchClassifier(network);
    const { columns, data } = await classifier.classify(ALL);
    await classifier.dispose();
    expect(columns).toBe(2);
    [0, 0, 1, 1].forEach((label, row) => {
      expect(data[row * 2 + label]).toBeGreaterThan(0.9);
      expect((data[row * 2] ?? 0) + (data[row * 2 + 1] ?? 0)).toBeCloseTo(1, 5);
    });
    expect(await train()).toEqual(network);
  });

  it('classifies as the sum over inputs and hidden units says', async () => {
    const network = await train();
    const { first, firstBias, second, secondBias } = network;
    const classifier = await openPatchClassifier(network);
    const { data } = await classifier.classify(ALL);
    await classifier.dispose();
    for (let row = 0; row < 4; row++) {
      const logits = [0, 1].map((label) => {
        let sum = secondBias[label] ?? 0;
        for (let unit = 0; unit < first.columns; unit++) {
          const along = [0, 1].reduce(
            (t, i) => t + (ALL.data[row * 2 + i] ?? 0) * (first.data[i * first.columns + unit] ?? 0),
            0,
          );
          sum += Math.max(0, along + (firstBias[unit] ?? 0)) * (second.data[unit * 2 + label] ?? 0);
        }
        return sum;
      });
      const [zero = 0, one = 0] = logits;
      expect(data[row * 2]).toBeCloseTo(1 / (1 + Math.exp(one - zero)), 3);
    }
  });

  it('stops when cancelled', async () => {
    await expect(train(AbortSignal.abort())).rejects.toMatchObject({ code: 'cancelled' });
  });
});
