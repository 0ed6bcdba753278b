import { Tensor } from 'onnxruntime-node';
import { describe, expect, it } from 'vitest';
import { cutNetwork } from './cut-network.ts';
import { GraphBuilder } from './graph-builder.ts';
import { openSession } from './open-session.ts';

/** x → middle = 2x → last = middle + 1 */
function network(): Uint8Array {
  const graph = new GraphBuilder();
  const middle = graph.add('Mul', [graph.input('x', [3]), graph.constant(Float32Array.of(2))]);
  graph.output('last', graph.add('Add', [middle, graph.constant(Float32Array.of(1))]));
  middle.name = 'middle';
  return graph.encode();
}

describe('cutNetwork', () => {
  it('gives the value of the tensor, and computes nothing after it', async () => {
    const session = await openSession(cutNetwork(network(), 'middle'));
    const results = await session.run({ x: new Tensor('float32', Float32Array.of(1, 2, 3), [3]) });
    await session.release();
    expect(Object.keys(results)).toEqual(['middle']);
    expect(results['middle']?.data).toEqual(Float32Array.of(2, 4, 6));
    expect(Buffer.from(cutNetwork(network(), 'middle')).includes('last')).toBe(false);
  });

  it('leaves a network as it is that has no such tensor', () => {
    expect(Buffer.compare(cutNetwork(network(), 'other'), network())).toBe(0);
  });
});
