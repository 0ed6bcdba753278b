import { describe, expect, it } from 'vitest';
import { cheapestThreshold, falseAlarmThreshold, noEscapeThreshold, upperRate } from './threshold-choice.ts';

it('says how high a rate may be that was counted', () => {
  expect(upperRate(0, 100)).toBeCloseTo(0.0362, 4);
  expect(upperRate(5, 100)).toBeCloseTo(0.1128, 4);
  expect(upperRate(3, 3)).toBe(1);
  expect(upperRate(0, 5000)).toBeCloseTo(0.000737, 5);
});

describe('thresholds', () => {
  const good = [0.1, 0.2, 0.3, 0.4, 0.55];
  const ng = [0.4567, 0.6, 0.9];

  it('let no judged NG escape', () => {
    expect(noEscapeThreshold(ng)).toBe(0.456);
    expect(noEscapeThreshold([])).toBeUndefined();
  });

  it('hold the rate of false alarms', () => {
    const share = (threshold = 0) => good.filter((score) => score >= threshold).length / good.length;
    expect(share(falseAlarmThreshold(good, 0))).toBe(0);
    expect(share(falseAlarmThreshold(good, 0.2))).toBe(0.2);
    expect(falseAlarmThreshold(good, 0.2)).toBeCloseTo(0.401, 6);
    expect(falseAlarmThreshold([], 0.01)).toBeUndefined();
  });

  it('follow the cost of an escape', () => {
    expect(cheapestThreshold(good, ng, 100)).toBeLessThan(0.457);
    expect(cheapestThreshold(good, ng, 0.1)).toBeGreaterThan(0.55);
    expect(cheapestThreshold(good, [], 10)).toBeUndefined();
  });
});
