import { describe, expect, it } from 'vitest';
import { drawPixels, runStep } from '../../../../test/support/step-pictures.ts';

describe('white_balance', () => {
  const cast = drawPixels(20, 20, (x, y) => [180 - x, 120 - x + (y % 2), 90 - x / 2]);

  it('makes the mean grey', async () => {
    const data = await runStep(cast, 'white_balance');
    const means = [0, 1, 2].map(
      (channel) => data.filter((_, at) => at % 3 === channel).reduce((a, b) => a + b, 0) / 400,
    );
    expect(Math.max(...means) - Math.min(...means)).toBeLessThan(1.5);
  });

  it('makes a card colourless where one is named', async () => {
    const image = drawPixels(20, 20, (x) => (x < 4 ? [200, 150, 100] : [40, 90, 160]));
    const config = { method: 'white_patch', area: { x: 0, y: 0, width: 20, height: 100 } };
    const data = await runStep(image, 'white_balance', config);
    expect([...data.subarray(0, 3)]).toEqual([200, 200, 200]);
  });
});
