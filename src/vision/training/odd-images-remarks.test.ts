import { describe, expect, it } from 'vitest';
import { toEnglish } from '../engine-messages.ts';
import { oddImagesRemarks } from './odd-images-remarks.ts';

describe('oddImagesRemarks', () => {
  it('names who was left out and who is worth a look, the first ten of each', () => {
    expect(oddImagesRemarks([], [])).toEqual([]);
    expect(oddImagesRemarks(['a', 'b'], ['c']).map(toEnglish)).toEqual([
      'Outliers, not learned from: a, b.',
      'Check whether these are good; they differ most: c.',
    ]);
    const names = Array.from({ length: 12 }, (_, index) => `p${index}`);
    const [many = ''] = oddImagesRemarks(names, []).map(toEnglish);
    expect(many).toMatch(/p9, and 2 more\.$/);
  });
});
