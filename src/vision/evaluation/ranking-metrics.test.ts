import { describe, expect, it } from 'vitest';
import { createRandom } from '../math/random.ts';
import { averagePrecision, f1Max, imageAuroc } from './ranking-metrics.ts';

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
