import { describe, expect, it } from 'vitest';
import { drawPixels, runStep } from '../../../../test/support/step-pictures.ts';
import { createRandom } from '../../math/random.ts';

describe('denoise', () => {
  it('removes single deviating pixels and keeps an edge', async () => {
    const random = createRandom(1);
    const clean = drawPixels(40, 40, (x) => Array(3).fill(x < 20 ? 60 : 180));
    const noisy = { ...clean, data: new Uint8Array(clean.data) };
    for (let dot = 0; dot < 12; dot++) {
      const at = ((3 + random.integer(34)) * 40 + 2 + dot * 3) * 3;
      noisy.data.fill(255, at, at + 3);
    }
    const data = await runStep(noisy, 'denoise');
    const wrong = data.reduce((count, level, at) => count + Number(level !== clean.data[at]), 0);
    expect(wrong).toBe(0);
  });

  it('takes a smaller window where the image is smaller', async () => {
    for (const [width, height] of [
      [1, 1],
      [3, 20],
      [20, 2],
      [6, 6],
    ] as const) {
      const picture = drawPixels(width, height, () => [90, 60, 30]);
      expect([...(await runStep(picture, 'denoise', { window: 7 }))]).toEqual([...picture.data]);
    }
  });
});
