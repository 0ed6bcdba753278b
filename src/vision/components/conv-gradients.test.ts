import { Tensor } from 'onnxruntime-node';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../math/random.ts';
import { openSession } from '../onnx/open-session.ts';
import { biasSlopeName, gradientPart, signalSlopeName, weightSlopeName } from './conv-gradients.ts';
import {
  biasName,
  type ConvShape,
  drawConvNetwork,
  forwardPart,
  signalName,
  weightDims,
  weightName,
} from './conv-network.ts';

const SHAPES: readonly ConvShape[] = [
  { inputs: 2, outputs: 3, kernel: 5, stride: 2, dilation: 1, residual: false },
  { inputs: 3, outputs: 4, kernel: 3, stride: 2, dilation: 1, residual: false },
  { inputs: 4, outputs: 4, kernel: 3, stride: 1, dilation: 2, residual: true },
  { inputs: 4, outputs: 2, kernel: 1, stride: 1, dilation: 1, residual: false },
];
const LAST = SHAPES.length;
const SIDE = 16;
const OUT = [2, 2, SIDE / 4, SIDE / 4];

function openBoth() {
  const backward = gradientPart(SHAPES);
  const { nodes } = forwardPart(SHAPES);
  const layers = SHAPES.map((_, layer) => layer);
  return openSession({
    inputs: [
      { name: signalName(0), dims: [2, 2, SIDE, SIDE] },
      { name: signalSlopeName(LAST), dims: OUT },
      ...SHAPES.flatMap((shape, layer) => [
        { name: weightName(layer), dims: weightDims(shape) },
        { name: biasName(layer), dims: [shape.outputs] },
      ]),
    ],
    outputs: [
      { name: signalName(LAST), dims: OUT },
      ...layers.flatMap((layer) => [
        { name: weightSlopeName(layer), dims: ['o', 'i', 'k', 'l'] },
        { name: biasSlopeName(layer), dims: ['o'] },
      ]),
    ],
    nodes: [...nodes, ...backward.nodes],
    constants: backward.constants,
  });
}

describe('gradientPart', () => {
  it('gives the slopes that moving each weight a little gives', async () => {
    const random = createRandom(3);
    const normal = (length: number, scale = 1): Float32Array =>
      Float32Array.from({ length }, () => scale * random.normal());
    const { weights } = drawConvNetwork(SHAPES, random);
    const biases = SHAPES.map(({ outputs }) => normal(outputs, 0.3));
    const slopes = normal(OUT.reduce((a, b) => a * b));
    const image = normal(2 * 2 * SIDE * SIDE);
    const session = await openBoth();
    const run = () =>
      session.run({
        [signalName(0)]: new Tensor('float32', image, [2, 2, SIDE, SIDE]),
        [signalSlopeName(LAST)]: new Tensor('float32', slopes, OUT),
        ...Object.fromEntries(
          SHAPES.flatMap((shape, layer) => [
            [weightName(layer), new Tensor('float32', weights[layer] ?? [], weightDims(shape))],
            [biasName(layer), new Tensor('float32', biases[layer] ?? [], [shape.outputs])],
          ]),
        ),
      });
    const loss = async (): Promise<number> => {
      const out = (await run())[signalName(LAST)]?.data as Float32Array;
      return out.reduce((sum, value, index) => sum + value * (slopes[index] ?? 0), 0);
    };
    const learned = await run();
    for (const layer of SHAPES.keys())
      for (const [values, name] of [
        [weights[layer], weightSlopeName(layer)],
        [biases[layer], biasSlopeName(layer)],
      ] as const) {
        const found = learned[name]?.data as Float32Array;
        expect(found.length).toBe(values?.length);
        if (!values) continue;
        for (let index = 0; index < values.length; index += Math.ceil(values.length / 9)) {
          const [before = 0, step] = [values[index], 1e-3];
          values[index] = before + step;
          const above = await loss();
          values[index] = before - step;
          const below = await loss();
          values[index] = before;
          const expected = (above - below) / (2 * step);
          expect(Math.abs((found[index] ?? 0) - expected)).toBeLessThan(0.02 * Math.max(1, Math.abs(expected)));
        }
      }
    await session.release();
  });
});
