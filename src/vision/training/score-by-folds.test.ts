import { describe, expect, it } from 'vitest';
import { createRandom } from '../math/random.ts';
import { heldOutFolds } from './learn-by-folds.ts';

const items = (count: number): string[] => Array.from({ length: count }, (_, index) => `item ${index}`);

describe('heldOutFolds', () => {
  it('holds every image out once', () => {
    for (const count of [2, 7, 8, 9, 50]) {
      const folds = heldOutFolds(items(count), createRandom(1));
      expect(folds.length).toBe(count <= 8 ? count : 5);
      expect(folds.flat().sort((a, b) => a - b)).toEqual(items(count).map((_, index) => index));
    }
  });

  it('keeps the images of an item together', () => {
    const ids = items(12).flatMap((item) => [item, item, item]);
    for (const fold of heldOutFolds(ids, createRandom(1))) {
      const inside = new Set(fold.map((index) => ids[index]));
      ids.forEach((id, index) => {
        expect(fold.includes(index)).toBe(inside.has(id));
      });
    }
  });

  it('has no folds for a single item', () => {
    expect(heldOutFolds(['a', 'a'], createRandom(1))).toEqual([]);
    expect(heldOutFolds([], createRandom(1))).toEqual([]);
  });
});
