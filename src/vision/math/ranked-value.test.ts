import { describe, expect, it } from 'vitest';
import { createRandom } from './random.ts';
import { rankedValue } from './ranked-value.ts';

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
