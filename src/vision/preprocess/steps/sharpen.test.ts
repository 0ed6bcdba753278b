import { describe, expect, it } from 'vitest';
import { drawPixels, runStep } from '../../../../test/support/step-pictures.ts';

describe('sharpen', () => {
  it('steepens an edge, leaves flat parts, and does nothing with amount 0', async () => {
    const image = drawPixels(40, 8, (x) => Array(3).fill(x < 20 ? 80 : 160));
    const data = await runStep(image, 'sharpen');
    const row = [...data.subarray(4 * 120, 5 * 120)].filter((_, at) => at % 3 === 0);
    expect(row[2]).toBe(80);
    expect(row[19]!).toBeLessThan(70);
    expect(row[20]!).toBeGreaterThan(170);
    expect(await runStep(image, 'sharpen', { amount: 0 })).toEqual(image.data);
  });
});
