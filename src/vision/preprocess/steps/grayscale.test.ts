import { describe, expect, it } from 'vitest';
import { drawPixels, runStep } from '../../../../test/support/step-pictures.ts';

describe('grayscale', () => {
  it('weighs the colours as the eye does, or takes one channel', async () => {
    const image = drawPixels(1, 1, () => [200, 100, 50]);
    expect([...(await runStep(image, 'grayscale'))]).toEqual([124, 124, 124]);
    expect([...(await runStep(image, 'grayscale', { channel: 'blue' }))]).toEqual([50, 50, 50]);
  });
});
