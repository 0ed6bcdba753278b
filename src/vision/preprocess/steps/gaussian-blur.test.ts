import { expect, it } from 'vitest';
import { createRandom } from '../../math/random.ts';
import { gaussianBlur } from './sharpness.ts';

it('equals the two-dimensional sum', () => {
  const random = createRandom(2);
  const [width, height, sigma] = [7, 6, 0.8];
  const image = { width, height, data: Uint8Array.from({ length: width * height * 3 }, () => random.integer(256)) };
  const blurred = gaussianBlur(image, sigma);
  const reach = Math.ceil(sigma * 3);
  const bell = (d: number): number => Math.exp(-(d * d) / (2 * sigma * sigma));
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      let [sum, total] = [0, 0];
      for (let dy = -reach; dy <= reach; dy++) {
        for (let dx = -reach; dx <= reach; dx++) {
          const px = Math.min(width - 1, Math.max(0, x + dx));
          const py = Math.min(height - 1, Math.max(0, y + dy));
          sum += bell(dx) * bell(dy) * image.data[(py * width + px) * 3 + 1]!;
          total += bell(dx) * bell(dy);
        }
      }
      expect(blurred[(y * width + x) * 3 + 1]!).toBeCloseTo(sum / total, 2);
    }
  }
});
