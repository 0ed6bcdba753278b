import { describe, expect, it } from 'vitest';
import { createRandom } from '../math/random.ts';
import { anomalyScore, detectionAccuracy, rawScoreAt } from './anomaly-score.ts';
import { conformalThreshold, normalCdf, smallSampleRemark } from './conformal-threshold.ts';
import { supervisedThreshold } from './supervised-threshold.ts';

const logNormal = (count: number, seed: number, spread = 0.1): number[] => {
  const random = createRandom(seed);
  return Array.from({ length: count }, () => 2 * Math.exp(spread * random.normal()));
};

describe('conformalThreshold', () => {
  it.each([
    [1000, 0.05],
    [1000, 0.01],
    [30, 0.01],
    [8, 0.01],
    [3, 0.05],
  ])('keeps the false alarm rate on average: %i images, %d', (count, rate) => {
    let alarms = 0;
    const rounds = 60;
    for (let round = 0; round < rounds; round++) {
      const threshold = conformalThreshold(logNormal(count, round), rate);
      alarms += logNormal(500, 1000 + round).filter((score) => score >= threshold).length / 500;
    }
    expect(alarms / rounds).toBeLessThan(rate * 1.5 + 0.002);
  });

  it('reads the rank off where there are enough, and is not led astray by one odd image where there are not', () => {
    const scores = Array.from({ length: 99 }, (_, index) => index + 1);
    expect(conformalThreshold(scores, 0.1)).toBeCloseTo(90, 3);
    expect(conformalThreshold(scores, 0.01)).toBeCloseTo(99, 3);
    const odd = [...logNormal(30, 5), 9];
    expect(conformalThreshold(odd, 0.01)).toBeLessThan(4);
    expect(conformalThreshold(odd, 0.01)).toBeGreaterThan(2.3);
    expect(conformalThreshold([2], 0.01)).toBeGreaterThan(2);
  });
});

describe('smallSampleRemark', () => {
  it('says what so few images support', () => {
    expect(smallSampleRemark(12, 0.01)).toBe(
      '12 good images support a false alarm rate of 8 % at best; add 88 to vouch for 1 %.',
    );
    expect(smallSampleRemark(99, 0.01)).toBeUndefined();
  });
});

describe('supervisedThreshold', () => {
  it('lies in the gap between good and defect scores', () => {
    const threshold = supervisedThreshold([1, 2, 3], [12, 20], 30);
    expect(threshold).toBeGreaterThan(3);
    expect(threshold).toBeLessThan(12);
  });

  it('keeps what good images gave where that is as right, or where there are no defects', () => {
    expect(supervisedThreshold([1, 2], [9], 4)).toBe(4);
    expect(supervisedThreshold([1, 2], [], 4)).toBe(4);
  });

  it('weighs both kinds where they overlap', () => {
    const threshold = supervisedThreshold([1, 2, 3, 10], [5, 6, 7, 8], 20);
    expect(threshold).toBeGreaterThan(3);
    expect(threshold).toBeLessThanOrEqual(5);
  });
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
