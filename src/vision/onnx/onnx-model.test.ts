import { Tensor } from 'onnxruntime-node';
import { describe, expect, it } from 'vitest';
import type { OnnxGraph } from './onnx-model.ts';
import { openSession } from './open-session.ts';

async function run(graph: OnnxGraph, feeds: Record<string, Tensor>): Promise<number[]> {
  const session = await openSession(graph);
  const { y } = await session.run(feeds);
  await session.release();
  return [...((y?.data as Float32Array | undefined) ?? [])];
}

describe('encodeOnnxModel', () => {
  it('writes a graph that the runtime loads: constants, float and list attributes, free sizes', async () => {
    const graph: OnnxGraph = {
      inputs: [{ name: 'x', dims: ['rows', 2] }],
      outputs: [{ name: 'y', dims: ['rows'] }],
      constants: [{ name: 'w', dims: [2, 2], data: Float32Array.of(1, 2, 3, 4) }],
      nodes: [
        { op: 'Gemm', inputs: ['x', 'w'], outputs: ['xw'], attributes: { alpha: { float: -2 }, transB: 1 } },
        { op: 'ReduceMin', inputs: ['xw'], outputs: ['y'], attributes: { axes: [1], keepdims: 0 } },
      ],
    };
    const x = new Tensor('float32', Float32Array.of(1, 0, 0, 1, 1, 1), [3, 2]);
    expect(await run(graph, { x })).toEqual([-6, -8, -14]);
  });

  it('writes 64-bit integers, negative ones too, and texts', async () => {
    const graph: OnnxGraph = {
      inputs: [{ name: 'x', dims: [1, 1, 1, 2] }],
      outputs: [{ name: 'y', dims: [1, 4] }],
      constants: [
        { name: 'sizes', dims: [4], data: BigInt64Array.of(1n, 1n, 1n, 4n) },
        { name: 'shape', dims: [2], data: BigInt64Array.of(1n, -1n) },
      ],
      nodes: [
        { op: 'Resize', inputs: ['x', '', '', 'sizes'], outputs: ['wide'], attributes: { mode: 'linear' } },
        { op: 'Reshape', inputs: ['wide', 'shape'], outputs: ['y'] },
      ],
    };
    const x = new Tensor('float32', Float32Array.of(0, 4), [1, 1, 1, 2]);
    expect(await run(graph, { x })).toEqual([0, 1, 3, 4]);
  });
});
