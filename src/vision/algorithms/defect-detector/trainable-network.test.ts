import { describe, expect, it } from 'vitest';
import { createRandom } from '../../math/random.ts';
import type { ConvShape } from './conv-network.ts';
import { drawNetwork, foldNetwork, noteBatch, parametersOf, updateAverage } from './trainable-network.ts';

const SHAPES: readonly ConvShape[] = [
  { inputs: 1, outputs: 2, kernel: 3, stride: 1, dilation: 1, residual: false },
  { inputs: 2, outputs: 3, kernel: 1, stride: 1, dilation: 1, residual: false },
];

describe('updateAverage', () => {
  it('moves a copy by the share towards all that was learned, and leaves the network as it is', () => {
    const network = drawNetwork(SHAPES, createRandom(5));
    const copy = structuredClone(network);
    const before = parametersOf(copy).map(({ values }) => [...values]);
    for (const { values } of parametersOf(network)) for (let i = 0; i < values.length; i++) values[i] = i + 1;
    const [first] = network.layers;
    if (first) noteBatch(first, Float32Array.of(4, 4), Float32Array.of(11, 11));
    updateAverage(copy, network, 0.25);
    parametersOf(copy).forEach(({ values }, which) => {
      values.forEach((value, i) => {
        expect(value).toBeCloseTo(0.75 * (before[which]?.[i] ?? Number.NaN) + 0.25 * (i + 1), 5);
      });
    });
    // A tenth of the batch is noted, a quarter of that averaged.
    expect(copy.layers[0]?.mean[0]).toBeCloseTo(0.1, 5);
    expect(copy.layers[0]?.variance[1]).toBeCloseTo(1.25, 5);
    expect(parametersOf(network)[0]?.values[3]).toBe(4);
    updateAverage(copy, network, 1);
    const [slow, fast] = [foldNetwork(copy), foldNetwork(network)];
    slow.weights.forEach((weight, layer) => {
      weight.forEach((value, i) => {
        expect(value).toBeCloseTo(fast.weights[layer]?.[i] ?? Number.NaN, 4);
      });
    });
  });
});
