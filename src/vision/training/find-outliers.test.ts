import { describe, expect, it } from 'vitest';
import { createRandom } from '../math/random.ts';
import { findOutliers, findStrange } from './find-outliers.ts';

const scores = (count: number): number[] => {
  const random = createRandom(4);
  return Array.from({ length: count }, () => 2 * Math.exp(0.08 * random.normal()));
};

const nothing = { far: [], doubtful: [] };

describe('findOutliers', () => {
  it('names what is far out, the worst first, and nothing else', () => {
    expect(findOutliers([...scores(40), 6, ...scores(3), 9])).toEqual({ far: [44, 40], doubtful: [] });
    const { far, doubtful } = findOutliers(scores(200));
    expect(far).toEqual([]);
    expect(doubtful.length).toBeLessThanOrEqual(2);
  });

  it('doubts what lies between', () => {
    expect(findOutliers([...scores(40), 2.9, 6, 2.8])).toEqual({ far: [41], doubtful: [40, 42] });
  });

  it('takes a fifth at most, and nothing from a handful or from equal scores', () => {
    expect(findOutliers([...scores(20), ...Array<number>(18).fill(9)]).far.length).toBeLessThanOrEqual(7);
    expect(findOutliers([1, 1, 1, 9])).toEqual(nothing);
    expect(findOutliers(Array<number>(20).fill(3))).toEqual(nothing);
  });
});

describe('findStrange', () => {
  it('doubts what is stranger on the whole by little, the worst first, and never more than that', () => {
    const { far, doubtful } = findStrange([...scores(40), 2.5, 9]);
    expect([far, doubtful.slice(0, 2)]).toEqual([[], [41, 40]]);
    expect(doubtful.length).toBeLessThanOrEqual(3);
    expect(findOutliers([...scores(40), 2.5]).doubtful).toEqual([]);
    expect(findStrange(scores(200)).doubtful.length).toBeLessThanOrEqual(4);
  });

  it('doubts nothing of a handful, or of images that are nearly equal', () => {
    expect(findStrange([1, 1, 1, 9])).toEqual(nothing);
    expect(findStrange([...Array<number>(20).fill(1), 1.05])).toEqual(nothing);
  });
});
