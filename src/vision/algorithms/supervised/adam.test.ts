import { describe, expect, it } from 'vitest';
import { openAdam } from './adam.ts';

describe('openAdam', () => {
  it('moves by the rate at first, whatever the size of the slope, and takes the decay away', () => {
    const weights = [Float32Array.of(1, -2), Float32Array.of(5)];
    openAdam(weights, [0, 0.1])([Float32Array.of(1000, -0.01), Float32Array.of(0)], 0.5);
    expect(weights[0]?.[0]).toBeCloseTo(0.5, 4);
    expect(weights[0]?.[1]).toBeCloseTo(-1.5, 4);
    expect(weights[1]?.[0]).toBeCloseTo(5 - 0.5 * 0.1 * 5, 6);
  });

  it('finds the lowest point of a long valley', () => {
    const at = Float32Array.of(4, -3);
    const descend = openAdam([at], [0]);
    for (let step = 0; step < 800; step++)
      descend([Float32Array.of(200 * (at[0]! - 1), 0.2 * (at[1]! - 2))], 0.1 * (1 - step / 800));
    expect(at[0]).toBeCloseTo(1, 2);
    expect(at[1]).toBeCloseTo(2, 1);
  });
});
