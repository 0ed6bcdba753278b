import { Tensor } from 'onnxruntime-node';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../math/random.ts';
import type { OnnxGraph } from '../../onnx/onnx-model.ts';
import { openSession } from '../../onnx/open-session.ts';
import { activationName, biasName, type ConvShape, inferenceNodes, weightDims, weightName } from './conv-network.ts';
import { gradientName, gradientPart, meanName, trainingPart, varianceName } from './conv-training.ts';
import { drawNetwork, foldNetwork, noteBatch, parametersOf } from './trainable-network.ts';

const SHAPES: readonly ConvShape[] = [
  { inputs: 2, outputs: 3, kernel: 5, stride: 2, dilation: 1, residual: false },
  { inputs: 3, outputs: 4, kernel: 3, stride: 2, dilation: 1, residual: false },
  { inputs: 4, outputs: 4, kernel: 3, stride: 1, dilation: 2, residual: true },
  { inputs: 4, outputs: 2, kernel: 1, stride: 1, dilation: 1, residual: false },
];
const LAST = activationName(SHAPES.length);
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

function trainingGraph(): OnnxGraph {
  const [forward, backward] = [trainingPart(SHAPES), gradientPart(SHAPES, EXAMPLES, SIDE)];
  const four = ['a', 'b', 'c', 'd'];
  return {
    inputs: [
      { name: activationName(0), dims: IN },
      { name: gradientName(LAST), dims: OUT },
      ...parameters.map(({ name, dims }) => ({ name, dims })),
    ],
    outputs: [
      { name: LAST, dims: OUT },
      ...parameters.map(({ name }) => ({ name: gradientName(name), dims: four })),
      ...[0, 1, 2].flatMap((layer) => [meanName(layer), varianceName(layer)].map((name) => ({ name, dims: four }))),
    ],
    nodes: [...forward.nodes, ...backward.nodes],
    constants: [...forward.constants, ...backward.constants],
  };
}

const session = await openSession(trainingGraph());
const run = async (): Promise<Record<string, Float32Array>> => {
  const feeds = parameters.map(({ name, values, dims }) => [name, new Tensor('float32', values, dims)] as const);
  const last = new Tensor('float32', slopes, OUT);
  const results = await session.run({
    [activationName(0)]: image,
    [gradientName(LAST)]: last,
    ...Object.fromEntries(feeds),
  });
  return Object.fromEntries(Object.entries(results).map(([name, { data }]) => [name, data as Float32Array]));
};

describe('gradientPart', () => {
  it('gives the gradients that moving each weight, scale and bias a little gives', async () => {
    const loss = async (): Promise<number> =>
      ((await run())[LAST] ?? slopes).reduce((sum, value, index) => sum + value * (slopes[index] ?? 0), 0);
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
    const { weights, biases } = foldNetwork(network);
    const constant = (name: string, dims: number[], data: Float32Array | undefined) => ({
      name,
      dims,
      data: data ?? new Float32Array(),
    });
    const folded = await openSession({
      nodes: inferenceNodes(SHAPES),
      inputs: [{ name: activationName(0), dims: IN }],
      outputs: [{ name: LAST, dims: OUT }],
      constants: SHAPES.flatMap((shape, layer) => [
        constant(weightName(layer), weightDims(shape), weights[layer]),
        constant(biasName(layer), [shape.outputs], biases[layer]),
      ]),
    });
    const outputs = (await folded.run({ [activationName(0)]: image }))[LAST]?.data as Float32Array;
    await folded.release();
    outputs.forEach((value, index) => {
      expect(value).toBeCloseTo(trained[LAST]?.[index] ?? Number.NaN, 3);
    });
  });
});
