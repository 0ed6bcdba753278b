import { Tensor } from 'onnxruntime-node';
import { afterEach, describe, expect, it } from 'vitest';
import { startSessionThread } from '../../src/jobs/compute/training-threads.ts';
import { openPatchExtractor } from '../../src/vision/backbone/patch-extractor.ts';
import { createRandom } from '../../src/vision/math/random.ts';
import type { OnnxGraph } from '../../src/vision/onnx/onnx-model.ts';
import { openSession } from '../../src/vision/onnx/open-session.ts';
import { openSessionThreads } from '../../src/vision/onnx/session-threads.ts';
import { drawProduct } from './synthetic-product.ts';
import { tinyBackbone } from './tiny-backbone.ts';

const random = createRandom(6);
const DOUBLE_AND_LENGTH: OnnxGraph = {
  inputs: [{ name: 'x', dims: ['rows', 2] }],
  outputs: [
    { name: 'double', dims: ['rows', 2] },
    { name: 'length', dims: ['rows'] },
  ],
  constants: [],
  nodes: [
    { op: 'Add', inputs: ['x', 'x'], outputs: ['double'] },
    { op: 'ReduceL2', inputs: ['x'], outputs: ['length'], attributes: { axes: [1], keepdims: 0 } },
  ],
};

describe('openSessionThreads', () => {
  let threads = openSessionThreads(2, startSessionThread);
  afterEach(async () => {
    await threads.dispose();
    threads = openSessionThreads(2, startSessionThread);
  });

  it('answers many at once, each with its own, of the outputs that were asked for', async () => {
    const session = await openSession(DOUBLE_AND_LENGTH, threads);
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
    const inTurn = [1, 2, 3].map((value) => ({ x: new Tensor('float32', Float32Array.of(value, 0), [1, 2]) }));
    expect((await session.runEach(inTurn)).map(({ length }) => length?.data[0])).toEqual([1, 2, 3]);
    expect(pool.length).toBe(80);
    await session.release();
    await expect(session.run({ x: new Tensor('float32', new Float32Array(2), [1, 2]) })).rejects.toThrow('not open');
  });

  it.each([
    { where: 'this thread', own: true },
    { where: 'other threads', own: false },
  ])('keeps inputs for all runs, and runs one session on what another gives, in $where', async ({ own }) => {
    const sum: OnnxGraph = {
      inputs: ['a', 'b'].map((name) => ({ name, dims: ['rows', 2] })),
      outputs: [{ name: 'sum', dims: ['rows', 2] }],
      constants: [],
      nodes: [{ op: 'Add', inputs: ['a', 'b'], outputs: ['sum'] }],
    };
    const first = await openSession(DOUBLE_AND_LENGTH, own ? 1 : threads);
    const second = await openSession(sum, own ? 1 : threads);
    const row = (...values: number[]) => new Tensor('float32', Float32Array.from(values), [1, 2]);
    await second.keep({ b: row(100, 200) });
    const sums = Array.from({ length: 6 }, async (_, index) => {
      expect((await second.run({ a: row(index, 1) }))['sum']?.data).toEqual(Float32Array.of(100 + index, 201));
      const through = await first.runInto(second, { a: 'double' }, { x: row(index, 3) });
      expect(through['sum']?.data).toEqual(Float32Array.of(100 + 2 * index, 206));
    });
    await Promise.all(sums);
    await second.release();
    await expect(first.runInto(second, { a: 'double' }, { x: row(1, 1) })).rejects.toThrow();
    await first.release();
  });

  it('does not take a session from elsewhere for one of its own', async () => {
    const [near, far] = [await openSession(DOUBLE_AND_LENGTH), await openSession(DOUBLE_AND_LENGTH, threads)];
    const x = new Tensor('float32', new Float32Array(2), [1, 2]);
    const others = openSessionThreads(1, startSessionThread);
    const elsewhere = await openSession(DOUBLE_AND_LENGTH, others);
    const one = await openSession(DOUBLE_AND_LENGTH, threads, 1);
    for (const wrong of [near, elsewhere, one])
      await expect(far.runInto(wrong, { x: 'double' }, { x })).rejects.toThrow('not open in these threads');
    expect((await one.runInto(far, { x: 'double' }, { x }))['double']?.dims).toEqual([1, 2]);
    await near.release();
    await others.dispose();
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
          ...{ canvasWidth: 64, canvasHeight: 64, tileWidth: 64, tileHeight: 64 },
        },
        undefined,
        threads,
      ),
    ).rejects.toMatchObject({ code: 'invalid_backbone' });
    const session = await openSession(DOUBLE_AND_LENGTH, threads);
    await expect(session.run({ y: new Tensor('float32', new Float32Array(2), [1, 2]) })).rejects.toThrow("'x'");
  });

  it('leaves nobody waiting when the threads end', async () => {
    const session = await openSession(DOUBLE_AND_LENGTH, threads);
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
    await expect(openSession(DOUBLE_AND_LENGTH, threads)).rejects.toThrow('has ended');
  });
});
