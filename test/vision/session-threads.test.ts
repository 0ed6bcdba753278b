import { Tensor } from 'onnxruntime-node';
import { afterEach, describe, expect, it } from 'vitest';
import { startSessionThread } from '../../src/jobs/compute/training-threads.ts';
import { openPatchExtractor } from '../../src/vision/backbone/patch-extractor.ts';
import { createRandom } from '../../src/vision/math/random.ts';
import { GraphBuilder } from '../../src/vision/onnx/graph-builder.ts';
import { openSession } from '../../src/vision/onnx/open-session.ts';
import { openSessionThreads } from '../../src/vision/onnx/session-threads.ts';
import { drawProduct } from './synthetic-product.ts';
import { tinyBackbone } from './tiny-backbone.ts';

const random = createRandom(6);
function doubleAndLength(): Uint8Array {
  const graph = new GraphBuilder();
  const x = graph.input('x', ['rows', 2]);
  graph.output('double', graph.add('Add', [x, x]));
  graph.output('length', graph.add('ReduceL2', [x], { axes: [1], keepdims: 0 }));
  return graph.encode();
}

describe('openSessionThreads', () => {
  let threads = openSessionThreads(2, startSessionThread);
  afterEach(async () => {
    await threads.dispose();
    threads = openSessionThreads(2, startSessionThread);
  });

  it('answers many at once, each with its own, of the outputs that were asked for', async () => {
    const session = await openSession(doubleAndLength(), threads);
    expect([session.inputNames, session.outputNames]).toEqual([['x'], ['double', 'length']]);
    const pool = Float32Array.from({ length: 80 }, () => random.normal());
    const asked = Array.from({ length: 20 }, async (_, index) => {
      // A part of a larger memory, as rows of a matrix are.
      const x = new Tensor('float32', pool.subarray(4 * index, 4 * index + 4), [2, 2]);
      const all = await session.run({ x });
      const one = await session.run({ x }, ['length']);
      expect([...(all['double']?.data ?? [])]).toEqual([...x.data].map((value) => 2 * Number(value)));
      expect([all['double']?.dims, all['length']?.dims]).toEqual([[2, 2], [2]]);
      expect(Object.keys(one)).toEqual(['length']);
      expect(one['length']?.data).toEqual(all['length']?.data);
    });
    await Promise.all(asked);
    expect(pool.length).toBe(80);
    await session.release();
    await expect(session.run({ x: new Tensor('float32', new Float32Array(2), [1, 2]) })).rejects.toThrow('not open');
  });

  it('gives the features that a single thread gives, to the last bit', async () => {
    const layout = { canvasWidth: 128, canvasHeight: 64, tileWidth: 96, tileHeight: 64 };
    const images = Array.from({ length: 8 }, () => drawProduct(random, false));
    const [alone, sideBySide] = [
      await openPatchExtractor(tinyBackbone(), layout),
      await openPatchExtractor(tinyBackbone(), layout, undefined, threads),
    ];
    const features = await Promise.all(images.map((image) => sideBySide.extract(image)));
    for (const [index, image] of images.entries()) expect(features[index]).toEqual(await alone.extract(image));
    await alone.dispose();
    await sideBySide.dispose();
  });

  it('says what is wrong with a model or with what it is fed', async () => {
    await expect(openSession(Uint8Array.of(1, 2, 3), threads)).rejects.toThrow();
    await expect(
      openPatchExtractor(
        { ...tinyBackbone(), onnx: Uint8Array.of(1, 2, 3) },
        {
          canvasWidth: 64,
          canvasHeight: 64,
          tileWidth: 64,
          tileHeight: 64,
        },
        undefined,
        threads,
      ),
    ).rejects.toMatchObject({ code: 'invalid_backbone' });
    const session = await openSession(doubleAndLength(), threads);
    await expect(session.run({ y: new Tensor('float32', new Float32Array(2), [1, 2]) })).rejects.toThrow("'x'");
  });

  it('leaves nobody waiting when the threads end', async () => {
    const session = await openSession(doubleAndLength(), threads);
    const x = new Tensor('float32', new Float32Array(2_000_000), [1_000_000, 2]);
    const asked = Array.from({ length: 12 }, () =>
      session.run({ x }).then(
        () => 'done',
        () => 'ended',
      ),
    );
    await threads.dispose();
    expect(await Promise.all(asked)).toContain('ended');
    // Nobody would end threads that were started now.
    await expect(openSession(doubleAndLength(), threads)).rejects.toThrow('has ended');
  });
});
