import { describe, expect, it } from 'vitest';
import { drawPixels, runStep } from '../../../../test/support/step-pictures.ts';

const spread = (data: Uint8Array): number => {
  const mean = data.reduce((sum, level) => sum + level, 0) / data.length;
  return Math.sqrt(data.reduce((sum, level) => sum + (level - mean) ** 2, 0) / data.length);
};

describe('equalize', () => {
  it('raises faint contrast in a dark corner more than what is clear already', async () => {
    const image = drawPixels(64, 64, (x, y) => (x < 32 ? Array(3).fill(30 + ((x + y) % 2) * 6) : Array(3).fill(y * 4)));
    const dark = (data: Uint8Array): Uint8Array => data.filter((_, at) => Math.floor(at / 3) % 64 < 24);
    const before = spread(dark(image.data));
    const after = spread(dark(await runStep(image, 'equalize', { clip_limit: 4, tiles: 4 })));
    expect(after).toBeGreaterThan(before * 1.5);
  });

  it('leaves the difference between colours as it is', async () => {
    const image = drawPixels(32, 32, (x, y) => [100 + (x + y) / 4, 80 + (x + y) / 4, 60 + (x + y) / 4]);
    const data = await runStep(image, 'equalize');
    const middle = (16 * 32 + 16) * 3;
    expect(data[middle]! - data[middle + 1]!).toBe(20);
  });
});
