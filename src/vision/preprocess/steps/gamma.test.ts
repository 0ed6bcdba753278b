import { describe, expect, it } from 'vitest';
import { drawPixels, runStep } from '../../../../test/support/step-pictures.ts';

describe('gamma', () => {
  it('brightens above 1, darkens below, keeps black and white', async () => {
    const image = drawPixels(
      3,
      1,
      (x) =>
        [
          [0, 0, 0],
          [64, 64, 64],
          [255, 255, 255],
        ][x] ?? [],
    );
    const bright = await runStep(image, 'gamma', { gamma: 2 });
    expect([bright[0], bright[3], bright[6]]).toEqual([0, 128, 255]);
    expect((await runStep(image, 'gamma', { gamma: 0.5 }))[3]).toBe(16);
  });
});
