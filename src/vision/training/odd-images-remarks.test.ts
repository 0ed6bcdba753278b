import { describe, expect, it } from 'vitest';
import { oddImagesRemarks } from './odd-images-remarks.ts';

describe('oddImagesRemarks', () => {
  it('names who was left out and who is worth a look, the first ten of each', () => {
    expect(oddImagesRemarks([], [])).toEqual([]);
    expect(oddImagesRemarks(['a', 'b'], ['c'])).toEqual([
      'Not learned from, as unlike all others: a, b.',
      'Please look whether these are good, they differ most: c.',
    ]);
    const [many = ''] = oddImagesRemarks(
      Array.from({ length: 12 }, (_, index) => `p${index}`),
      [],
    );
    expect(many).toMatch(/p9 and 2 more\.$/);
  });
});
