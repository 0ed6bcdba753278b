import { Tensor } from 'onnxruntime-node';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../math/random.ts';
import { GraphBuilder } from '../../onnx/graph-builder.ts';
import { openSession } from '../../onnx/open-session.ts';
import { addNetwork, type ConvShape } from './conv-network.ts';
import { addGradients, addTrainingLayers, gradientName, meanName, varianceName } from './conv-training.ts';
import { drawNetwork, foldNetwork, noteBatch, parametersOf } from './trainable-network.ts';

const SHAPES: readonly ConvShape[] = [
  { inputs: 2, outputs: 3, kernel: 5, stride: 2, dilation: 1, residual: false },
  { inputs: 3, outputs: 4, kernel: 3, stride: 2, dilation: 1, residual: false },
  { inputs: 4, outputs: 4, kernel: 3, stride: 1, dilation: 2, residual: true },
  { inputs: 4, outputs: 2, kernel: 1, stride: 1, dilation: 1, residual: false },
];
const [EXAMPLES, SIDE] = [2, 16];
const IN = [EXAMPLES, 2, SIDE, SIDE];
const OUT = [EXAMPLES, 2, SIDE / 4, SIDE / 4];
const random = createRandom(3);
const normal = (length: number, scale = 1): Float32Array =>
  Float32Array.from({ length }, () => scale * random.normal());

const network = drawNetwork(SHAPES, random);
for (const { scale, bias } of network.layers) for (const values of [scale, bias]) values?.set(normal(values.length));
const parameters = parametersOf(network);
const slopes = normal(OUT.reduce((a, b) => a * b));
const image = new Tensor('float32', normal(IN.reduce((a, b) => a * b)), IN);

function trainingGraph(): Uint8Array {
  const graph = new GraphBuilder();
  const layers = addTrainingLayers(graph, SHAPES, graph.input('image', IN));
  addGradients(graph, layers, graph.input('slopes', OUT), EXAMPLES, SIDE);
  graph.output('last', layers.at(-1)!.output);
  return graph.encode();
}

const session = await openSession(trainingGraph());
const run = async (): Promise<Record<string, Float32Array>> => {
  const feeds = parameters.map(({ name, values, dims }) => [name, new Tensor('float32', values, dims)] as const);
  const last = new Tensor('float32', slopes, OUT);
  const results = await session.run({ image, slopes: last, ...Object.fromEntries(feeds) });
  return Object.fromEntries(Object.entries(results).map(([name, { data }]) => [name, data as Float32Array]));
};

describe('addGradients', () => {
  it('gives the gradients that moving each weight, scale and bias a little gives', async () => {
    const loss = async (): Promise<number> =>
      ((await run())['last'] ?? slopes).reduce((sum, value, index) => sum + value * (slopes[index] ?? 0), 0);
    const learned = await run();
    for (const { name, values } of parameters) {
      const found = learned[gradientName(name)] ?? new Float32Array();
      expect(found.length).toBe(values.length);
      for (let index = 0; index < values.length; index += Math.ceil(values.length / 9)) {
        const [before = 0, step] = [values[index], 1e-3];
        values[index] = before + step;
        const above = await loss();
        values[index] = before - step;
        const below = await loss();
        values[index] = before;
        const expected = (above - below) / (2 * step);
        expect(Math.abs((found[index] ?? 0) - expected), name).toBeLessThan(0.03 * Math.max(1, Math.abs(expected)));
      }
    }
  });
});

describe('foldNetwork', () => {
  it('gives what the trained network gives for a batch with the kept means and variances', async () => {
    const trained = await run();
    for (let times = 0; times < 200; times++)
      for (const layer of [0, 1, 2]) {
        const kept = network.layers[layer];
        if (kept) noteBatch(kept, trained[meanName(layer)] ?? slopes, trained[varianceName(layer)] ?? slopes);
      }
    const graph = new GraphBuilder();
    graph.output('last', addNetwork(graph, foldNetwork(network), graph.input('image', IN)));
    const folded = await openSession(graph.encode());
    const outputs = (await folded.run({ image }))['last']?.data as Float32Array;
    await folded.release();
    outputs.forEach((value, index) => {
      expect(value).toBeCloseTo(trained['last']?.[index] ?? Number.NaN, 3);
    });
  });
});
