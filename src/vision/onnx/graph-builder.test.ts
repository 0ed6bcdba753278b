import { Tensor } from 'onnxruntime-node';
import { describe, expect, it } from 'vitest';
import { GraphBuilder } from './graph-builder.ts';
import { openSession } from './open-session.ts';

async function run(graph: GraphBuilder, feeds: Record<string, Tensor>): Promise<Record<string, number[]>> {
  const session = await openSession(graph.encode());
  const results = await session.run(feeds);
  await session.release();
  return Object.fromEntries(
    Object.entries(results).map(([name, { data }]) => [name, Array.from(data as Float32Array)]),
  );
}

describe('GraphBuilder', () => {
  it('writes a graph that the runtime loads: constants, float and list attributes, free sizes', async () => {
    const graph = new GraphBuilder();
    const factors = [graph.input('x', ['rows', 2]), graph.constant(Float32Array.of(1, 2, 3, 4), [2, 2])];
    const product = graph.add('Gemm', factors, { alpha: { float: -2 }, transB: 1 });
    graph.output('y', graph.add('ReduceMin', [product], { axes: [1], keepdims: 0 }));
    const x = new Tensor('float32', Float32Array.of(1, 0, 0, 1, 1, 1), [3, 2]);
    expect(await run(graph, { x })).toEqual({ y: [-6, -8, -14] });
  });

  it('writes 64-bit integers, negative ones too, texts, and inputs that are omitted', async () => {
    const graph = new GraphBuilder();
    const x = graph.input('x', [1, 1, 1, 2]);
    const wide = graph.add('Resize', [x, undefined, undefined, graph.integers(1, 1, 1, 4)], { mode: 'linear' });
    graph.output('y', graph.add('Reshape', [wide, graph.integers(1, -1)]));
    const feed = new Tensor('float32', Float32Array.of(0, 4), [1, 1, 1, 2]);
    expect(await run(graph, { x: feed })).toEqual({ y: [0, 1, 3, 4] });
  });

  it('gives several results of one operator, and outputs that other operators take as well', async () => {
    const graph = new GraphBuilder();
    const halves = graph.addSplit('Split', [graph.input('x', [4]), graph.integers(1, 3)], 2, { axis: 0 });
    const [first, rest] = halves;
    const sum = graph.add('Add', [first, rest]);
    graph.output('rest', rest!);
    graph.output('sum', sum);
    const x = new Tensor('float32', Float32Array.of(1, 2, 3, 4), [4]);
    expect(await run(graph, { x })).toEqual({ rest: [2, 3, 4], sum: [3, 4, 5] });
  });
});
