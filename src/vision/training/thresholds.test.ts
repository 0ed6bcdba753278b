import { describe, expect, it } from 'vitest';
import { toEnglish } from '../engine-messages.ts';
import { createRandom } from '../math/random.ts';
import {
  anomalyScore,
  conformalThreshold,
  detectionAccuracy,
  normalCdf,
  rawScoreAt,
  SHARED_BY_BANK,
  smallSampleRemark,
  supervisedThreshold,
} from './thresholds.ts';

const logNormal = (count: number, seed: number, spread = 0.1): number[] => {
  const random = createRandom(seed);
  return Array.from({ length: count }, () => 2 * Math.exp(spread * random.normal()));
};

/** Highest of many: the logarithm has an extreme value distribution of the shape given, 0 being Gumbel's. */
const highest =
  (shape: number) =>
  (count: number, seed: number): number[] => {
    const random = createRandom(seed);
    const draw = (): number => -Math.log(1 - random.next());
    return Array.from({ length: count }, () =>
      Math.exp(0.7 + 0.08 * (shape === 0 ? -Math.log(draw()) : (draw() ** -shape - 1) / shape)),
    );
  };
const gumbel = highest(0);
const bounded = highest(-0.1);

describe('conformalThreshold', () => {
  it.each([
    ['gumbel', gumbel, 1000, 0.05, 0.9, 1.2],
    ['gumbel', gumbel, 1000, 0.01, 0.8, 1.2],
    ['gumbel', gumbel, 30, 0.1, 0.8, 1.2],
    ['gumbel', gumbel, 30, 0.01, 0.2, 2.2],
    ['bounded', bounded, 200, 0.01, 0.5, 1.4],
    ['bounded', bounded, 30, 0.01, 0.2, 1.6],
    ['bounded', bounded, 8, 0.01, 0, 1.6],
    ['bounded', bounded, 3, 0.05, 0, 1.4],
    ['log-normal', logNormal, 1000, 0.01, 0.8, 1.2],
    ['log-normal', logNormal, 30, 0.05, 0.3, 1.2],
    ['log-normal', logNormal, 30, 0.01, 0, 1],
  ])('keeps the false alarm rate on average, without waste: %s, %d', (_, draw, count, rate, least, most) => {
    let alarms = 0;
    const rounds = 80;
    for (let round = 0; round < rounds; round++) {
      const threshold = conformalThreshold(draw(count, round), rate);
      alarms += draw(500, 1000 + round).filter((score) => score >= threshold).length / 500;
    }
    expect(alarms / rounds).toBeLessThan(rate * most);
    expect(alarms / rounds).toBeGreaterThanOrEqual(rate * least);
  });

  it('allows for what held-out scores of few images have in common: a bank that suits them more than others', () => {
    let alarms = 0;
    const rounds = 400;
    const random = createRandom(1);
    for (let round = 0; round < rounds; round++) {
      const suits = Math.exp(-0.08 * Math.abs(random.normal()));
      const threshold = conformalThreshold(
        bounded(10, round).map((score) => score * suits),
        0.01,
        SHARED_BY_BANK,
      );
      alarms += bounded(100, 1000 + round).filter((score) => score >= threshold).length / 100;
    }
    expect(alarms / rounds).toBeLessThan(0.03);
  });

  it('reads the quantile off where there are enough, and is not led astray by outliers where there are not', () => {
    const scores = Array.from({ length: 99 }, (_, index) => index + 1);
    expect(conformalThreshold(scores, 0.1)).toBeCloseTo(90, 3);
    expect(conformalThreshold(scores, 0.085)).toBeCloseTo(91.5, 3);
    const withOutliers = [...gumbel(30, 5), 9, 9];
    expect(conformalThreshold(withOutliers, 0.01)).toBeLessThan(4);
    expect(conformalThreshold(withOutliers, 0.01)).toBeGreaterThan(2.3);
    expect(conformalThreshold([2], 0.01)).toBeGreaterThan(2);
  });

  it('never falls when the rate falls, however few or unusual the scores', () => {
    const rates = [0.5, 0.3, 0.2, 0.1, 0.07, 0.05, 0.03, 0.02, 0.01, 0.003, 0.0001];
    for (const scores of [[1], [1, 2], gumbel(9, 1), [...gumbel(31, 2), 6, 7, 8], gumbel(400, 3)]) {
      const thresholds = rates.map((rate) => conformalThreshold(scores, rate));
      expect(thresholds).toEqual([...thresholds].sort((a, b) => a - b));
      expect(thresholds.every((threshold) => threshold > 0)).toBe(true);
    }
  });
});

it('is more than 0 where all images look the same to the model', () => {
  for (const rate of [0.5, 0.1, 0.01]) {
    const threshold = conformalThreshold([0, 0, 0, 0, 0, 0, 0, 0], rate);
    expect(anomalyScore(0, threshold)).toBe(0);
  }
});

describe('smallSampleRemark', () => {
  const remarkOf = (items: number, rate: number): string => {
    const remark = smallSampleRemark(items, rate);
    return remark ? toEnglish(remark) : '';
  };

  it('says what so few items support', () => {
    expect(remarkOf(12, 0.01)).toBe(
      'With 12 good items, false alarms can be held to 7.69\u00a0% at best; add 87 more to hold them to 1\u00a0%.',
    );
    expect(smallSampleRemark(99, 0.01)).toBeUndefined();
  });

  it('does not contradict itself: with so many more there is no remark, with one less there is', () => {
    for (const rate of [0.5, 0.07, 0.05, 0.035, 0.01, 0.001])
      for (const items of [1, 5, 12, 97, 98, 700]) {
        const more = /add (\d+) to/.exec(remarkOf(items, rate))?.[1];
        if (more === undefined) continue;
        expect(smallSampleRemark(items + Number(more), rate)).toBeUndefined();
        expect(smallSampleRemark(items + Number(more) - 1, rate)).toBeDefined();
      }
    expect(remarkOf(98, 0.01)).toBe(
      'With 98 good items, false alarms can be held to 1.01\u00a0% at best; add 1 more to hold them to 1\u00a0%.',
    );
  });

  it('shows no figure with more digits than a person gave', () => {
    expect(remarkOf(5, 0.07)).toMatch(/to 16\.7\s% at best; add \d+ more to hold them to 7\s%\.$/);
    expect(remarkOf(500, 0.0001)).toMatch(/to 0\.2\s% at best; add 9499 more to hold them to 0\.01\s%\.$/);
  });
});

describe('supervisedThreshold', () => {
  it('lies in the gap between good and defect scores', () => {
    const threshold = supervisedThreshold([1, 2, 3], [12, 20], 30, 0.01);
    expect(threshold).toBeGreaterThan(3);
    expect(threshold).toBeLessThan(12);
  });

  it('keeps what good images gave where that is as right, or where there are no defects', () => {
    expect(supervisedThreshold([1, 2], [9], 4, 0.01)).toBe(4);
    expect(supervisedThreshold([1, 2], [], 4, 0.01)).toBe(4);
  });

  it('weighs both kinds where they overlap, as far as the false alarm rate lets it', () => {
    const good = [1, 2, 3, 10];
    const threshold = supervisedThreshold(good, [5, 6, 7, 8], 20, 0.34);
    expect(threshold).toBeGreaterThan(3);
    expect(threshold).toBeLessThanOrEqual(5);
    const strict = supervisedThreshold(good, [5, 6, 7, 8, 15], 20, 0.01);
    expect(good.filter((score) => score >= strict)).toEqual([]);
    expect(strict).toBeLessThan(15);
  });
});

it('finds the threshold of tens of thousands of scores in no time', () => {
  const random = createRandom(5);
  const good = Array.from({ length: 20_000 }, () => 1 + random.next());
  const defects = Array.from({ length: 20_000 }, () => 1.5 + random.next());
  const started = performance.now();
  const threshold = supervisedThreshold(good, defects, 1.6, 0.5);
  expect(performance.now() - started).toBeLessThan(1000);
  expect(threshold).toBeGreaterThan(1.49);
  expect(threshold).toBeLessThan(2.01);
});

describe('anomalyScore', () => {
  it('is 0.5 at the threshold, keeps the order, stays below 1, and has an inverse', () => {
    expect(anomalyScore(3, 3)).toBe(0.5);
    expect(anomalyScore(0, 3)).toBe(0);
    expect(anomalyScore(1e9, 3)).toBeLessThan(1);
    expect(anomalyScore(rawScoreAt(0.7, 3), 3)).toBeCloseTo(0.7, 12);
    expect(rawScoreAt(1, 3)).toBe(Number.POSITIVE_INFINITY);
    expect(rawScoreAt(0, 3)).toBe(0);
  });
});

describe('detectionAccuracy', () => {
  it('is 50 at the threshold and grows away from it on both sides', () => {
    const calibration = { rawThreshold: 3, goodScores: logNormal(50, 1), defectScores: [] };
    expect(detectionAccuracy(3, 3, calibration)).toBeCloseTo(50, 3);
    expect(detectionAccuracy(3.3, 3, calibration)).toBeGreaterThan(70);
    expect(detectionAccuracy(2, 3, calibration)).toBeGreaterThan(99);
    expect(detectionAccuracy(2, Number.POSITIVE_INFINITY, calibration)).toBe(100);
  });

  it('rests on a normal distribution', () => {
    expect(normalCdf(0)).toBeCloseTo(0.5, 6);
    expect(normalCdf(1.959964)).toBeCloseTo(0.975, 6);
    expect(normalCdf(-1)).toBeCloseTo(0.158655, 6);
  });
});
