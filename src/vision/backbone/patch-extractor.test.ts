import { Tensor } from 'onnxruntime-node';
import { describe, expect, it } from 'vitest';
import { tinyBackbone } from '../../../test/vision/tiny-backbone.ts';
import { exposeImage } from '../image/exposure.ts';
import { createRandom } from '../math/random.ts';
import { openSession } from '../onnx/open-session.ts';
import type { SessionThreads } from '../onnx/session-threads.ts';
import type { RgbImage } from '../types.ts';
import { openBackbone } from './open-backbone.ts';
import { openPatchExtractor, patchGraph } from './patch-extractor.ts';

function noise(width: number, height: number): RgbImage {
  const random = createRandom(width);
  return { width, height, data: Uint8Array.from({ length: width * height * 3 }, () => random.integer(256)) };
}
/** Counts the sessions of this thread that are open. */
function countingThreads() {
  let count = 0;
  const threads: SessionThreads = {
    async open(model) {
      const session = await openSession(model);
      count++;
      return { ...session, release: () => session.release().then(() => void count--) };
    },
    dispose: async () => {},
  };
  return { threads, open: () => count };
}
const single = (side: number) => ({ canvasWidth: side, canvasHeight: side, tileWidth: side, tileHeight: side });

describe('patchGraph', () => {
  it('averages 3×3 neighbours and joins a coarser level brought to the grid', async () => {
    const session = await openSession(patchGraph([1, 1]));
    const fine = Float32Array.from({ length: 16 }, (_, index) => index);
    const { patches } = await session.run({
      level_0: new Tensor('float32', fine, [1, 1, 4, 4]),
      level_1: new Tensor('float32', Float32Array.of(9), [1, 1, 1, 1]),
    });
    await session.release();
    const data = patches?.data as Float32Array;
    expect(patches?.dims).toEqual([16, 2]);
    // Inside: the mean of the neighbourhood around cell 5. At the corner: four cells of nine, the rest outside is 0.
    expect(data[5 * 2]).toBeCloseTo((0 + 1 + 2 + 4 + 5 + 6 + 8 + 9 + 10) / 9, 5);
    expect(data[0]).toBeCloseTo((0 + 1 + 4 + 5) / 9, 5);
    expect(data[1]).toBeCloseTo(1, 5);
  });
});

describe('openBackbone', () => {
  it('says what does not fit between network and description', async () => {
    const backbone = tinyBackbone();
    const wrongOutput = { ...backbone, description: { ...backbone.description, outputs: ['nothing'] } };
    await expect(openBackbone(wrongOutput)).rejects.toMatchObject({ code: 'invalid_backbone' });
    await expect(openBackbone(wrongOutput)).rejects.toThrow('eighth, sixteenth');
    const wrongInput = { ...backbone, description: { ...backbone.description, input: 'data' } };
    await expect(openBackbone(wrongInput)).rejects.toThrow('data');
    await expect(openBackbone(tinyBackbone({ bytes: 3 }))).rejects.toThrow(/uint8 \[1, height, width, 3\]; .*W, 4\]/);
    const noNetwork = { ...backbone, onnx: Uint8Array.of(1, 2, 3) };
    await expect(openBackbone(noNetwork)).rejects.toMatchObject({ code: 'invalid_backbone' });
  });

  it('gives back what a refused network took', async () => {
    const { threads, open } = countingThreads();
    const backbone = tinyBackbone();
    const wrong = { ...backbone, description: { ...backbone.description, outputs: ['nothing'] } };
    await expect(openBackbone(wrong, threads)).rejects.toMatchObject({ code: 'invalid_backbone' });
    expect(open()).toBe(0);
    const right = await openBackbone(backbone, threads);
    expect(open()).toBe(1);
    await right.dispose();
    expect(open()).toBe(0);
  });
});

describe('openPatchExtractor', () => {
  it('gives one vector a cell, the same every time, also from another session', async () => {
    const image = noise(70, 50);
    const first = await openPatchExtractor(tinyBackbone(), single(64));
    const features = await first.extract(image);
    expect([features.rows, features.columns, features.patches.rows, features.patches.columns]).toEqual([8, 8, 64, 56]);
    const again = await first.extract(image);
    const second = await openPatchExtractor(tinyBackbone(), single(64));
    expect(again.patches.data).toEqual(features.patches.data);
    expect((await second.extract(image)).patches.data).toEqual(features.patches.data);
    await first.dispose();
    await second.dispose();
  });

  it('opens nothing any more when it is closed', async () => {
    const { threads, open } = countingThreads();
    const extractor = await openPatchExtractor(tinyBackbone(), single(64), undefined, threads);
    await extractor.extract(noise(64, 64));
    expect(open()).toBe(2);
    await extractor.dispose();
    await expect(extractor.extract(noise(64, 64))).rejects.toThrow('closed');
    expect(open()).toBe(0);
  });

  it('projects every patch', async () => {
    const image = noise(64, 64);
    const random = createRandom(3);
    const data = Float32Array.from({ length: 56 * 4 }, () => random.normal());
    const plain = await openPatchExtractor(tinyBackbone(), single(64));
    const projecting = await openPatchExtractor(tinyBackbone(), single(64), { rows: 56, columns: 4, data });
    const { patches } = await plain.extract(image);
    const projected = (await projecting.extract(image)).patches;
    expect([projected.rows, projected.columns]).toEqual([64, 4]);
    for (const [row, axis] of [
      [0, 0],
      [63, 3],
      [20, 2],
    ] as const) {
      let sum = 0;
      for (let d = 0; d < 56; d++) sum += (patches.data[row * 56 + d] ?? 0) * (data[d * 4 + axis] ?? 0);
      expect(projected.data[row * 4 + axis]).toBeCloseTo(sum, 3);
    }
    await plain.dispose();
    await projecting.dispose();
  });

  it('exposes the canvas before the network sees it', async () => {
    const image = noise(64, 64);
    const exposure = { target: 64, brightness: 128 };
    const exposing = await openPatchExtractor(tinyBackbone(), { ...single(64), exposure });
    const plain = await openPatchExtractor(tinyBackbone(), single(64));
    const { patches } = await exposing.extract(image);
    expect(patches.data).toEqual((await plain.extract(exposeImage(image, exposure))).patches.data);
    expect(patches.data).not.toEqual((await plain.extract(image)).patches.data);
    await exposing.dispose();
    await plain.dispose();
  });

  it('puts tiles together to the grid of the whole canvas', async () => {
    const image = noise(256, 128);
    const layout = { canvasWidth: 256, canvasHeight: 128, tileWidth: 128, tileHeight: 128 };
    const tiled = await openPatchExtractor(tinyBackbone(), layout);
    const whole = await openPatchExtractor(tinyBackbone(), { ...layout, tileWidth: 256 });
    const [a, b] = [await tiled.extract(image), await whole.extract(image)];
    expect([a.rows, a.columns]).toEqual([b.rows, b.columns]);
    // The network sees no farther than its stride here, so that tiling changes nothing away from the tiles' edges.
    for (let row = 2; row < 14; row++)
      for (let column = 2; column < 30; column++) {
        const at = (row * 32 + column) * 56;
        for (let d = 0; d < 56; d++) expect(a.patches.data[at + d]).toBeCloseTo(b.patches.data[at + d] ?? 0, 4);
      }
    await tiled.dispose();
    await whole.dispose();
  });
});
