import { describe, expect, it } from 'vitest';
import {
  cheapestThreshold,
  falseAlarmThreshold,
  noEscapeThreshold,
  thresholdChoices,
  upperRate,
} from './threshold-choice.ts';

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

  it('lie in the middle of those that cost the same', () => {
    expect(cheapestThreshold([0.1, 0.2], [0.6, 0.7], 10)).toBeCloseTo(0.4, 6);
    expect(cheapestThreshold([0.1, 0.4994], [0.4996, 0.7], 10)).toBe(0.4996);
    // One good image lies above the defects: cheap escapes move the threshold above both, dear ones below.
    expect(cheapestThreshold([0.1, 0.5], [0.4, 0.9], 2)).toBeCloseTo(0.25, 6);
    expect(cheapestThreshold([0.1, 0.5], [0.4, 0.9], 0.5)).toBeCloseTo(0.7, 6);
  });

  it('say what they reach on the known images', () => {
    const items = [0.3, 0.8].map((score, index) => ({
      ...{ item_id: `${index}`, name: '', score, thumbnail_url: null },
      ...{ user_result: index === 0 ? ('OK' as const) : ('NG' as const), result: 'OK' as const },
    }));
    const known = { threshold: 0.5, held_out: { good: [0.2, 0.4], ng: [0.45] }, items, total: 2 };
    const { choices, ...counts } = thresholdChoices(known, { falseAlarmRate: 0, escapeCost: 10 });
    expect(counts).toEqual({ good: 3, ng: 2 });
    expect(choices.map(({ mark, threshold }) => [mark, threshold])).toEqual([
      ['A', 0.45],
      ['B', 0.401],
      ['C', 0.425],
    ]);
    expect(choices[1].outcome).toEqual({ found: 2, escapes: 0, passed: 3, falseAlarms: 0 });
    const unjudged = thresholdChoices(
      { ...known, held_out: { good: [], ng: [] }, items: [] },
      { falseAlarmRate: 0.01, escapeCost: 1 },
    );
    expect(unjudged.choices.map(({ threshold }) => threshold)).toEqual([undefined, undefined, undefined]);
  });
});
