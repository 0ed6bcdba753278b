import { describe, expect, it } from 'vitest';
import { createRandom } from '../math/random.ts';
import { findDoubtful, findOutliers, findStrange } from './outliers.ts';

const scores = (count: number): number[] => {
  const random = createRandom(4);
  return Array.from({ length: count }, () => 2 * Math.exp(0.08 * random.normal()));
};

describe('findOutliers', () => {
  it('names what is far out, the worst first, and nothing else', () => {
    const some = [...scores(40), 6, ...scores(3), 9];
    expect([findOutliers(some), findDoubtful(some)]).toEqual([[44, 40], []]);
    expect(findOutliers(scores(200))).toEqual([]);
    expect(findDoubtful(scores(200)).length).toBeLessThanOrEqual(2);
  });

  it('doubts what lies between', () => {
    const some = [...scores(40), 2.9, 6, 2.8];
    expect([findOutliers(some), findDoubtful(some)]).toEqual([[41], [40, 42]]);
  });

  it('does not count images without a score', () => {
    const some = [Number.NaN, ...scores(40), Number.NaN, 6];
    expect([findOutliers(some), findDoubtful(some)]).toEqual([[42], []]);
    expect(findOutliers([...Array<number>(20).fill(Number.NaN), 1, 1, 1, 9])).toEqual([]);
  });

  it('takes a fifth at most, and nothing from a handful or from equal scores', () => {
    expect(findOutliers([...scores(20), ...Array<number>(18).fill(9)]).length).toBeLessThanOrEqual(7);
    for (const few of [[1, 1, 1, 9], Array<number>(20).fill(3)])
      expect([...findOutliers(few), ...findDoubtful(few)]).toEqual([]);
  });
});

describe('findStrange', () => {
  it('doubts what is a little stranger as a whole, the worst first', () => {
    const strange = findStrange([...scores(40), 2.5, 9]);
    expect(strange.slice(0, 2)).toEqual([41, 40]);
    expect(strange.length).toBeLessThanOrEqual(3);
    expect(findDoubtful([...scores(40), 2.5])).toEqual([]);
    expect(findStrange(scores(200)).length).toBeLessThanOrEqual(4);
  });

  it('doubts nothing of a handful, or of images that are nearly equal', () => {
    expect(findStrange([1, 1, 1, 9])).toEqual([]);
    expect(findStrange([...Array<number>(20).fill(1), 1.05])).toEqual([]);
  });
});
