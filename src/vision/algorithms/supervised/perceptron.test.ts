import { describe, expect, it } from 'vitest';
import type { Matrix } from '../../math/matrix.ts';
import { createRandom } from '../../math/random.ts';
import { softmaxRows } from '../../math/softmax.ts';
import { openMatrixProduct } from '../../onnx/open-matrix-product.ts';
import { runPerceptron, trainPerceptron } from './perceptron.ts';

const XOR = Float32Array.of(-1, -1, -1, 1, 1, -1, 1, 1);

async function train(signal = new AbortController().signal) {
  const product = await openMatrixProduct();
  const inputs: Matrix = { rows: 4, columns: 2, data: XOR };
  try {
    const network = await trainPerceptron(2, {
      hidden: 16,
      outputs: 2,
      steps: 300,
      learningRate: 0.05,
      decay: 0.001,
      random: createRandom(5),
      product,
      signal,
      batch: () => inputs,
      gradient(outputs) {
        softmaxRows(outputs.data, 2);
        [0, 1, 1, 0].forEach((kind, row) => {
          outputs.data[row * 2 + kind] = (outputs.data[row * 2 + kind] ?? 0) - 1;
        });
      },
    });
    return { network, outputs: await runPerceptron(inputs, network, product) };
  } finally {
    await product.dispose();
  }
}

describe('trainPerceptron', () => {
  it('learns what no linear rule can: which signs differ; the same weights every time', async () => {
    const { network, outputs } = await train();
    softmaxRows(outputs.data, 2);
    [0, 1, 1, 0].forEach((kind, row) => {
      expect(outputs.data[row * 2 + kind]).toBeGreaterThan(0.95);
    });
    expect((await train()).network).toEqual(network);
  });

  it('runs as the sum over inputs and hidden units says', async () => {
    const { network, outputs } = await train();
    const { first, firstBias, second, secondBias } = network;
    for (let row = 0; row < 4; row++)
      for (let out = 0; out < 2; out++) {
        let sum = secondBias[out] ?? 0;
        for (let unit = 0; unit < 16; unit++) {
          const along = [0, 1].reduce((t, i) => t + (XOR[row * 2 + i] ?? 0) * (first.data[i * 16 + unit] ?? 0), 0);
          sum += Math.max(0, along + (firstBias[unit] ?? 0)) * (second.data[unit * 2 + out] ?? 0);
        }
        expect(outputs.data[row * 2 + out]).toBeCloseTo(sum, 3);
      }
  });

  it('stops when cancelled', async () => {
    await expect(train(AbortSignal.abort())).rejects.toMatchObject({ code: 'cancelled' });
  });
});
