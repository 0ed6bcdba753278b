import { describe, expect, it } from 'vitest';
import { createRandom } from '../math/random.ts';
import { aurocGain, averagePrecision, f1Max, imageAuroc } from './ranking-metrics.ts';

const random = createRandom(6);
const rounded = (count: number, shift: number): number[] =>
  Array.from({ length: count }, () => Math.round(10 * (random.normal() + shift)) / 10);
const overlapping = { good: rounded(70, 0), defect: rounded(50, 1) };

describe('imageAuroc', () => {
  it('equals counting all pairs, ties half', () => {
    let wins = 0;
    for (const d of overlapping.defect) for (const g of overlapping.good) wins += d > g ? 1 : d === g ? 0.5 : 0;
    expect(imageAuroc(overlapping)).toBeCloseTo(wins / 3500, 12);
  });

  it('is 1 apart, 0 reversed, a half for equal scores, null without both kinds', () => {
    expect(imageAuroc({ good: [1, 2], defect: [3, 4] })).toBe(1);
    expect(imageAuroc({ good: [3, 4], defect: [1, 2] })).toBe(0);
    expect(imageAuroc({ good: [1, 1], defect: [1] })).toBe(0.5);
    expect(imageAuroc({ good: [], defect: [1] })).toBeNull();
    expect(imageAuroc({ good: [1], defect: [] })).toBeNull();
  });
});

describe('averagePrecision and f1Max', () => {
  it('give known values', () => {
    // From the top: defect, good, defect.
    const mixed = { good: [2], defect: [3, 1] };
    expect(averagePrecision(mixed)).toBeCloseTo((1 + 2 / 3) / 2, 12);
    expect(f1Max(mixed)).toBeCloseTo(0.8, 12);
    expect(averagePrecision({ good: [1], defect: [2, 3] })).toBe(1);
    expect(f1Max({ good: [1], defect: [2, 3] })).toBe(1);
  });

  it('equal a search over all thresholds', () => {
    const thresholds = [...overlapping.good, ...overlapping.defect];
    const best = Math.max(
      ...thresholds.map((t) => {
        const found = overlapping.defect.filter((score) => score >= t).length;
        const alarms = overlapping.good.filter((score) => score >= t).length;
        return (2 * found) / (2 * found + alarms + (50 - found));
      }),
    );
    expect(f1Max(overlapping)).toBeCloseTo(best, 12);
  });
});

const uniform = createRandom(5);
const drawn = (count: number, from: number): number[] =>
  Array.from({ length: count }, () => from + Math.round(10 * uniform.next()) / 10);

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
      const other = (values: readonly number[]): number[] => values.map((value) => value + uniform.next());
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
