import type { OwnedImage, PreparedImage, Random, RgbImage, TrainingSample } from '../../src/vision/types.ts';

const SIDE = 96;

/** A grey disc with a bright ring on noisy ground; the defect is a dark scratch across the ring. */
export function drawProduct(random: Random, defect: boolean): OwnedImage {
  const data = new Uint8Array(SIDE * SIDE * 3);
  const [centreX, centreY] = [SIDE / 2 + random.next() * 2 - 1, SIDE / 2 + random.next() * 2 - 1];
  for (let y = 0; y < SIDE; y++)
    for (let x = 0; x < SIDE; x++) {
      const radius = Math.hypot(x - centreX, y - centreY);
      const ring = Math.abs(radius - 28) < 5;
      const scratch = defect && Math.abs(x - y - 24) < 4 && x > 56 && x < 84;
      const level = (scratch ? 10 : ring ? 220 : radius < 28 ? 120 : 60) + 4 * random.normal();
      data.fill(Math.min(255, Math.max(0, level)), (y * SIDE + x) * 3, (y * SIDE + x) * 3 + 3);
    }
  return { width: SIDE, height: SIDE, data };
}

export const prepared = (image: RgbImage): PreparedImage => ({
  image,
  toOriginal: { a: 1, b: 0, c: 0, d: 0, e: 1, f: 0 },
  originalWidth: image.width,
  originalHeight: image.height,
});

/** Rectangle around the defect that {@link drawProduct} draws. */
const SCRATCH = { xMin: 54, yMin: 28, xMax: 86, yMax: 64, label: 1 };

export function productSample(name: string, image: RgbImage, good = true): TrainingSample {
  const regions = good ? [] : [SCRATCH];
  return { itemId: name, name, good, regions, load: async () => prepared(image) };
}
