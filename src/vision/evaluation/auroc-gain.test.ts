import { describe, expect, it } from 'vitest';
import { createRandom } from '../math/random.ts';
import { aurocGain } from './auroc-gain.ts';
import { imageAuroc } from './ranking-metrics.ts';

const random = createRandom(5);
const drawn = (count: number, from: number): number[] =>
  Array.from({ length: count }, () => from + Math.round(10 * random.next()) / 10);

describe('the gain of AUROC', () => {
  it('is the difference of both areas, ties counting half', () => {
    const before = { good: drawn(30, 0), defect: drawn(20, 0.4) };
    const after = { good: drawn(30, 0), defect: drawn(20, 0.6) };
    const { gain } = aurocGain(before, after);
    expect(gain).toBeCloseTo((imageAuroc(after) ?? 0) - (imageAuroc(before) ?? 0), 12);
    expect(aurocGain(before, before)).toEqual({ gain: 0, error: 0 });
  });

  it('has the standard error that gains have over many draws', () => {
    const gains: number[] = [];
    const errors: number[] = [];
    for (let draw = 0; draw < 400; draw++) {
      const noise = { good: drawn(40, 0), defect: drawn(15, 0.3) };
      const other = (values: readonly number[]): number[] => values.map((value) => value + random.next());
      const { gain, error } = aurocGain(noise, { good: other(noise.good), defect: other(noise.defect) });
      gains.push(gain);
      errors.push(error);
    }
    const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value) / values.length;
    const middle = mean(gains);
    const deviation = Math.sqrt(mean(gains.map((gain) => (gain - middle) ** 2)));
    expect(mean(errors) / deviation).toBeGreaterThan(0.9);
    expect(mean(errors) / deviation).toBeLessThan(1.1);
  });

  it('is never sure with a single defect', () => {
    expect(aurocGain({ good: [1, 3], defect: [2] }, { good: [1, 2], defect: [3] })).toEqual({
      gain: 0.5,
      error: Number.POSITIVE_INFINITY,
    });
  });
});
