import { describe, expect, it } from 'vitest';
import { openMuon } from './muon.ts';

/** One step at a learning rate of 1 from weights of [2, 3]. */
async function stepOf(weights: readonly number[], gradient: readonly number[], decay = 0): Promise<number[]> {
  const values = Float32Array.from(weights);
  const muon = await openMuon([{ rows: 2, values }], decay);
  await muon.step([Float32Array.from(gradient)], 1);
  await muon.dispose();
  return Array.from(values, (value, i) => weights[i]! - value);
}

const zeros = [0, 0, 0, 0, 0, 0];
/** How far a direction of the weights moves: 0.2 · √3 is the aim. */
const AIM = 0.2 * Math.sqrt(3);

describe('openMuon', () => {
  it('moves along weak directions about as far as along strong ones', async () => {
    // Rows at right angles to each other, one fifty times as steep.
    const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = await stepOf(zeros, [50, 0, 0, 0, 0.6, 0.8]);
    for (const length of [Math.hypot(a, b, c), Math.hypot(d, e, f)]) {
      expect(length / AIM).toBeGreaterThan(0.6);
      expect(length / AIM).toBeLessThan(1.3);
    }
    expect(a).toBeGreaterThan(0);
    expect(f / e).toBeCloseTo(0.8 / 0.6, 3);
  });

  it('is the same step whatever the size of the gradient, and none for none', async () => {
    const gradient = [1, -2, 3, 0.5, 4, 1];
    const step = await stepOf(zeros, gradient);
    const larger = await stepOf(
      zeros,
      gradient.map((value) => 1000 * value),
    );
    step.forEach((value, i) => {
      expect(larger[i]).toBeCloseTo(value, 4);
    });
    expect((await stepOf(zeros, zeros)).every((value) => Math.abs(value) < 1e-6)).toBe(true);
  });

  it('takes the decay away', async () => {
    const [first] = await stepOf([10, 0, 0, 0, 0, 0], zeros, 0.1);
    expect(first).toBeCloseTo(1, 5);
  });
});
