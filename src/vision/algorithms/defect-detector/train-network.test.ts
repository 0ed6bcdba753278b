import { Tensor } from 'onnxruntime-node';
import { describe, expect, it } from 'vitest';
import { softmaxRows } from '../../math/matrix.ts';
import { GraphBuilder } from '../../onnx/graph-builder.ts';
import { openSession } from '../../onnx/open-session.ts';
import { addLossGradient } from './train-network.ts';

const [CLASSES, CELLS] = [3, 2];

/** Outputs of one example with two cells in a row: three classes, four lengths each. */
async function gradientOf(
  outputs: readonly (readonly number[])[],
  truth: readonly number[],
  counts: readonly number[],
  lengths: readonly (readonly number[])[],
): Promise<number[][]> {
  const dims = (planes: number) => [1, planes, 1, CELLS];
  const planes = (rows: readonly (readonly number[])[], count: number): Tensor =>
    new Tensor(
      'float32',
      Float32Array.from({ length: count * CELLS }, (_, i) => rows[i % CELLS]?.[Math.floor(i / CELLS)] ?? 0),
      dims(count),
    );
  const oneHot = truth.map((kind) => Array.from({ length: CLASSES }, (_, index) => (index === kind ? 1 : 0)));
  const feeds = {
    outputs: planes(outputs, CLASSES + 4),
    classes: planes(oneHot, CLASSES),
    classWeights: planes(
      counts.map((count) => [count]),
      1,
    ),
    sides: planes(lengths, 4),
    sideWeights: planes(
      counts.map((count) => [count / 2]),
      1,
    ),
  };
  const graph = new GraphBuilder();
  const input = (name: keyof typeof feeds) => graph.input(name, feeds[name].dims);
  const targets = {
    classes: input('classes'),
    classWeights: input('classWeights'),
    sides: input('sides'),
    sideWeights: input('sideWeights'),
  };
  graph.output('gradient', addLossGradient(graph, input('outputs'), CLASSES, targets));
  const session = await openSession(graph.encode());
  const { gradient } = await session.run(feeds);
  await session.release();
  const data = gradient?.data as Float32Array;
  return outputs.map((row, cell) => row.map((_, plane) => data[plane * CELLS + cell] ?? Number.NaN));
}

describe('addLossGradient', () => {
  it('is the gradient of focal cross entropy, and of the Huber loss of the sides', async () => {
    const first = [0.2, 1.5, -0.4, 1, 1, 1, 1];
    const second = [2, -1, 0, 3, 3, 3, 3];
    const [found = [], ignored = []] = await gradientOf([first, second], [1, 0], [0.5, 0], [[1.1, 0.5, 0, 9], []]);
    const likely = Float32Array.from(first.slice(0, CLASSES));
    softmaxRows(likely, CLASSES);
    const difficulty = (1 - likely[1]!) ** 1.5;
    const expected = [...likely].map((value, kind) => (value - (kind === 1 ? 1 : 0)) * difficulty * 0.5);
    [...expected, -0.05, 0.25, 0.25, -0.25].forEach((value, index) => {
      expect(found[index]).toBeCloseTo(value, 5);
    });
    expect(ignored.map(Math.abs)).toEqual([0, 0, 0, 0, 0, 0, 0]);
  });
});
