import { Tensor } from 'onnxruntime-node';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../math/random.ts';
import type { RgbImage, TrainingSample } from '../../types.ts';
import { decodeFeatures } from './feature-scale.ts';
import { collectCrops, collectHardCrops, cropSides, cutPart, loadCanvas, placeCrop } from './training-crops.ts';
import { viewsOf } from './views.ts';

const CELL = 4;

/** A black image with one white cell. */
function dotted(columns: number, rows: number, x: number, y: number) {
  const data = new Uint8Array(columns * rows * CELL * CELL * 3);
  const stride = columns * CELL * 3;
  for (let row = 0; row < CELL; row++) {
    const from = (y * CELL + row) * stride + x * CELL * 3;
    data.fill(255, from, from + CELL * 3);
  }
  return { width: columns * CELL, height: rows * CELL, data };
}

/** One channel: the red of a cell's first pixel. */
const extractor = {
  level: 'red',
  async extract({ width, height, data }: RgbImage) {
    const [rows, columns] = [height / CELL, width / CELL];
    const values = Float32Array.from({ length: rows * columns }, (_, cell) => {
      const pixel = Math.floor(cell / columns) * CELL * width + (cell % columns) * CELL;
      return data[3 * pixel]! / 255;
    });
    return new Tensor('float32', values, [1, 1, rows, columns]);
  },
  dispose: async () => {},
};

const around = (x: number, y: number) => ({ xMin: x, yMin: y, xMax: x + 1, yMax: y + 1, label: null });
const scaled = ({ xMin, yMin, xMax, yMax, label }: ReturnType<typeof around>) => ({
  xMin: CELL * xMin,
  yMin: CELL * yMin,
  xMax: CELL * xMax,
  yMax: CELL * yMax,
  label,
});

function sampleOf(columns: number, rows: number, x: number, y: number): TrainingSample {
  const image = dotted(columns, rows, x, y);
  const toOriginal = { a: 1, b: 0, c: 0, d: 0, e: 1, f: 0 };
  const prepared = { image, toOriginal, originalWidth: image.width, originalHeight: image.height };
  return { itemId: 'a', name: 'a', good: false, regions: [scaled(around(x, y))], load: async () => prepared };
}

const layoutOf = (columns: number, rows: number) => {
  const [width, height] = [columns * CELL, rows * CELL];
  return { canvasWidth: width, canvasHeight: height, tileWidth: width, tileHeight: height };
};

describe('training crops', () => {
  const scale = { mean: Float32Array.of(0), deviation: Float32Array.of(1), cellSide: CELL };
  const collect = (columns: number, rows: number, x: number, y: number) => {
    const views = viewsOf({ rotations: true, flips: true });
    const layout = layoutOf(columns, rows);
    const signal = new AbortController().signal;
    const collection = { layout, extractor, scale, views, random: createRandom(2), signal };
    return collectCrops([sampleOf(columns, rows, x, y)], collection, () => {});
  };

  it('show in every place and orientation the same cells as their regions', async () => {
    const seen = new Set<number>();
    for (const [x, y] of [
      [1, 2],
      [15, 11],
      [39, 29],
    ] as const) {
      const crops = await collect(40, 30, x, y);
      expect(crops.map(({ side, label }) => [side, label])).toEqual(Array.from({ length: 8 }, () => [14, null]));
      const random = createRandom(3);
      for (let i = 0; i < 160; i++) {
        const { codes, regions } = cutPart(crops[i % 8]!, 12, random);
        const planes = new Float32Array(12 * 12);
        decodeFeatures(codes, planes, 1);
        const cell = planes.indexOf(1);
        const inside = regions.filter(({ xMin, yMin }) => xMin >= 0 && yMin >= 0 && xMin < 12 && yMin < 12);
        expect(inside).toEqual(cell < 0 ? [] : [around(cell % 12, Math.floor(cell / 12))]);
        seen.add(cell);
      }
    }
    expect(seen.size).toBeGreaterThan(15);
  });

  it('lie inside the canvas; the backbone sees more around them, but nothing outside', () => {
    expect(placeCrop(40, 30, 1, 15, 16)).toEqual({
      crop: { xMin: 0, yMin: 7, xMax: 16, yMax: 23 },
      seen: { xMin: 0, yMin: 3, xMax: 20, yMax: 27 },
    });
    expect(cropSides(layoutOf(40, 9), CELL)).toEqual({ crop: 9, view: 9 });
  });

  it('come from a canvas of the layout, regions in cells of it', async () => {
    const prepared = {
      image: { width: 50, height: 20, data: new Uint8Array(3000) },
      toOriginal: { a: 2, b: 0, c: 0, d: 0, e: 2, f: 0 },
      originalWidth: 100,
      originalHeight: 40,
    };
    const regions = [{ xMin: 20, yMin: 10, xMax: 40, yMax: 20, label: 3 }];
    const sample = { itemId: 'a', name: 'a', good: false, regions, load: async () => prepared };
    const canvas = await loadCanvas(sample, layoutOf(25, 15), CELL);
    expect(canvas.regions).toEqual([{ xMin: 5, yMin: 3.75, xMax: 10, yMax: 7.5, label: 3 }]);
    expect([canvas.image.width, canvas.image.height]).toEqual([100, 60]);
  });

  it('are hard where the network is most wrong, in few images or in many', async () => {
    const [columns, rows] = [30, 30];
    const samples = Array.from({ length: 30 }, (_, index) => ({
      ...sampleOf(columns, rows, index, 0),
      itemId: String(index),
    }));
    // The network finds a defect everywhere, in each image with another probability. The white cell tells which it is.
    const predictor = {
      async predict(image: RgbImage) {
        const { data: white } = await extractor.extract(image);
        const defect = 0.3 + 0.02 * (white as Float32Array).indexOf(1);
        const data = Float32Array.from(
          { length: columns * rows * 6 },
          (_, at) => [1 - defect, defect, 1, 1, 1, 1][at % 6]!,
        );
        return { columns, rows, patches: { rows: columns * rows, columns: 6, data } };
      },
      dispose: async () => {},
    };
    const views = viewsOf({ rotations: true, flips: true });
    const signal = new AbortController().signal;
    const layout = layoutOf(columns, rows);
    const collection = { layout, extractor, scale, views, random: createRandom(2), signal };
    const crops = await collectHardCrops(samples, predictor, collection);
    const perImage = samples.map(({ itemId }) => crops.filter((crop) => crop.itemId === itemId).length);
    expect(perImage).toEqual(samples.map((_, index) => (index < 10 ? 0 : 20)));
    expect(crops.every(({ label }) => label === undefined)).toBe(true);
  });
});
