import { describe, expect, it } from 'vitest';
import { median, quantile, rankedValue, robustDeviation, standardDeviation } from './quantile.ts';
import { createRandom } from './random.ts';

describe('quantile', () => {
  it('interpolates between order statistics, whatever the order of the values', () => {
    expect(quantile([40, 10, 30, 20], 0.5)).toBe(25);
    expect(quantile([40, 10, 30, 20], 0)).toBe(10);
    expect(quantile([40, 10, 30, 20], 1)).toBe(40);
    expect(quantile([1, 2], 0.25)).toBe(1.25);
    expect(median([5])).toBe(5);
    expect(quantile([], 0.5)).toBeNaN();
    expect(standardDeviation([1, 3])).toBeCloseTo(Math.SQRT2, 12);
    expect(standardDeviation([4])).toBe(0);
  });

  it('scales the median deviation to a normal standard deviation and shrugs off outliers', () => {
    const random = createRandom(1);
    const values = Array.from({ length: 5000 }, (_, index) => (index < 100 ? 1000 : 3 + 2 * random.normal()));
    expect(robustDeviation(values)).toBeGreaterThan(1.9);
    expect(robustDeviation(values)).toBeLessThan(2.15);
  });
});

describe('rankedValue', () => {
  it('is what sorting puts there', () => {
    const random = createRandom(5);
    const values = Float32Array.from({ length: 3000 }, (_, index) =>
      index % 7 === 0 ? index % 3 : Math.abs(random.normal()) * 10 ** random.integer(9),
    );
    values[11] = Number.POSITIVE_INFINITY;
    values[12] = 1e-42;
    const sorted = Float32Array.from(values).sort();
    for (let rank = 0; rank < values.length; rank += 37) expect(rankedValue(values, rank)).toBe(sorted[rank]);
  });

  it('reads no more than the part that it is given', () => {
    const part = Float32Array.of(9, 5, 1, 3, 0).subarray(1, 4);
    expect([0, 1, 2].map((rank) => rankedValue(part, rank))).toEqual([1, 3, 5]);
    expect(rankedValue(Float32Array.of(4), 0)).toBe(4);
  });
});
