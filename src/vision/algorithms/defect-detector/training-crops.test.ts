import { describe, expect, it } from 'vitest';
import { createRandom } from '../../math/random.ts';
import { augmentCrop, cropSides, cutCrop, loadCanvas } from './training-crops.ts';

/** A black image with one white pixel. */
function dotted(width: number, height: number, x: number, y: number) {
  const data = new Uint8Array(width * height * 3);
  data.fill(255, (y * width + x) * 3, (y * width + x + 1) * 3);
  return { width, height, data };
}

const around = (x: number, y: number) => ({ xMin: x, yMin: y, xMax: x + 1, yMax: y + 1, label: null });

describe('training crops', () => {
  it('lie inside the canvas, and their regions on the same pixels', () => {
    for (const [x, y] of [
      [3, 2],
      [30, 20],
      [59, 39],
    ] as const) {
      const canvas = { itemId: 'a', image: dotted(60, 40, x, y), regions: [around(x, y)] };
      const { image, regions } = cutCrop(canvas, x, y, 16);
      const pixel = image.data.indexOf(255) / 3;
      expect([image.width, image.height]).toEqual([16, 16]);
      expect(regions).toEqual([around(pixel % 16, Math.floor(pixel / 16))]);
    }
  });

  it('are shown in every allowed place and orientation, their regions with them', () => {
    const random = createRandom(2);
    const crop = { image: dotted(20, 20, 9, 11), regions: [around(9, 11)] };
    const seen = new Set<number>();
    for (let i = 0; i < 60; i++) {
      const { image, regions } = augmentCrop(crop, 16, { rotations: true, flips: true }, random);
      const pixel = image.data.indexOf(255) / 3;
      expect(regions).toEqual([around(pixel % 16, Math.floor(pixel / 16))]);
      seen.add(pixel);
    }
    expect(seen.size).toBeGreaterThan(15);
  });

  it('come from a canvas of the layout, regions scaled with it', async () => {
    const prepared = {
      image: dotted(50, 20, 0, 0),
      toOriginal: { a: 2, b: 0, c: 0, d: 0, e: 2, f: 0 },
      originalWidth: 100,
      originalHeight: 40,
    };
    const regions = [{ xMin: 20, yMin: 10, xMax: 40, yMax: 20, label: 3 }];
    const sample = { itemId: 'a', name: 'a', good: false, regions, load: async () => prepared };
    const layout = { canvasWidth: 100, canvasHeight: 60, tileWidth: 100, tileHeight: 60 };
    const canvas = await loadCanvas(sample, layout);
    expect(canvas.regions).toEqual([{ xMin: 20, yMin: 15, xMax: 40, yMax: 30, label: 3 }]);
    expect([canvas.image.width, canvas.image.height]).toEqual([100, 60]);
    expect(cropSides(layout)).toEqual({ crop: 60, view: 60 });
  });
});
