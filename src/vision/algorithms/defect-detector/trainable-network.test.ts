import { Tensor } from 'onnxruntime-node';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../math/random.ts';
import { GraphBuilder } from '../../onnx/graph-builder.ts';
import { openSession } from '../../onnx/open-session.ts';
import { addNetwork, type ConvShape, detectorShapes } from './detector-network.ts';
import {
  addGradients,
  addTrainingLayers,
  drawNetwork,
  foldNetwork,
  gradientName,
  nameOf,
  noteBatch,
  parametersOf,
  updateAverage,
} from './trainable-network.ts';

const SHAPES: readonly ConvShape[] = [
  { inputs: 2, outputs: 3, kernel: 5, dilation: 1, residual: false },
  { inputs: 3, outputs: 4, kernel: 3, dilation: 1, residual: false },
  { inputs: 4, outputs: 4, kernel: 3, dilation: 2, residual: true },
  { inputs: 4, outputs: 2, kernel: 1, dilation: 1, residual: false },
];
const [EXAMPLES, SIDE] = [2, 8];
const IN = [EXAMPLES, 2, SIDE, SIDE];
const OUT = [EXAMPLES, 2, SIDE, SIDE];
const random = createRandom(3);
const normal = (length: number, scale = 1): Float32Array =>
  Float32Array.from({ length }, () => scale * random.normal());

const network = drawNetwork(SHAPES, random);
for (const { scale, bias } of network) for (const values of [scale, bias]) values?.set(normal(values.length));
const parameters = parametersOf(network);
const slopes = normal(OUT.reduce((a, b) => a * b));
const image = new Tensor('float32', normal(IN.reduce((a, b) => a * b)), IN);

function trainingGraph(): Uint8Array {
  const graph = new GraphBuilder();
  const layers = addTrainingLayers(graph, SHAPES, graph.input('image', IN));
  addGradients(graph, layers, graph.input('slopes', OUT), { examples: EXAMPLES, side: SIDE });
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

describe('a training step', () => {
  it.each([8, 16])('gives the same bits on any number of threads, with %i examples', async (examples) => {
    const [side, channels, outputs] = [12, 24, 7];
    const shapes = detectorShapes(channels, outputs);
    const drawing = createRandom(9);
    const tensor = (dims: number[]) => {
      const length = dims.reduce((product, size) => product * size);
      return new Tensor(
        'float32',
        Float32Array.from({ length }, () => drawing.normal()),
        dims,
      );
    };
    const feeds: Record<string, Tensor> = {
      features: tensor([examples, channels, side, side]),
      slopes: tensor([examples, outputs, side, side]),
    };
    for (const { name, values, dims } of parametersOf(drawNetwork(shapes, drawing)))
      feeds[name] = new Tensor('float32', values, dims);
    const stepOn = async (threads: number) => {
      const graph = new GraphBuilder();
      const layers = addTrainingLayers(graph, shapes, graph.input('features', [examples, channels, side, side]));
      addGradients(graph, layers, graph.input('slopes', [examples, outputs, side, side]), { examples, side });
      const opened = await openSession(graph.encode(), threads);
      const results = await opened.run(feeds);
      await opened.release();
      return Object.fromEntries(Object.entries(results).map(([name, { data }]) => [name, [...(data as Float32Array)]]));
    };
    const alone = await stepOn(1);
    for (const threads of [3, 8]) expect(await stepOn(threads), `${threads} threads`).toEqual(alone);
  });
});

describe('foldNetwork', () => {
  it('gives what the trained network gives for a batch with the kept means and variances', async () => {
    const trained = await run();
    for (let times = 0; times < 200; times++)
      for (const layer of [0, 1, 2]) {
        const kept = network[layer];
        if (kept)
          noteBatch(kept, trained[nameOf('mean', layer)] ?? slopes, trained[nameOf('variance', layer)] ?? slopes);
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

const SMALL: readonly ConvShape[] = [
  { inputs: 1, outputs: 2, kernel: 3, dilation: 1, residual: false },
  { inputs: 2, outputs: 3, kernel: 1, dilation: 1, residual: false },
];

describe('updateAverage', () => {
  it('moves a copy by the share towards all that was learned, and leaves the network as it is', () => {
    const network = drawNetwork(SMALL, createRandom(5));
    const copy = structuredClone(network);
    const before = parametersOf(copy).map(({ values }) => [...values]);
    for (const { values } of parametersOf(network)) for (let i = 0; i < values.length; i++) values[i] = i + 1;
    const [first] = network;
    if (first) noteBatch(first, Float32Array.of(4, 4), Float32Array.of(11, 11));
    updateAverage(copy, network, 0.25);
    parametersOf(copy).forEach(({ values }, which) => {
      values.forEach((value, i) => {
        expect(value).toBeCloseTo(0.75 * (before[which]?.[i] ?? Number.NaN) + 0.25 * (i + 1), 5);
      });
    });
    // A tenth of the batch is noted, a quarter of that averaged.
    expect(copy[0]?.mean[0]).toBeCloseTo(0.1, 5);
    expect(copy[0]?.variance[1]).toBeCloseTo(1.25, 5);
    expect(parametersOf(network)[0]?.values[3]).toBe(4);
    updateAverage(copy, network, 1);
    const [slow, fast] = [foldNetwork(copy), foldNetwork(network)];
    slow.forEach(({ weight }, layer) => {
      weight.forEach((value, i) => {
        expect(value).toBeCloseTo(fast[layer]?.weight[i] ?? Number.NaN, 4);
      });
    });
  });
});
