import { describe, expect, it } from 'vitest';
import { countLearnedItems, findOddities, type TrainingImage } from './find-oddities.ts';

const image = (name: string, changes: Partial<TrainingImage> = {}): TrainingImage => ({
  itemId: `id-${name}`,
  itemName: name,
  good: true,
  blob: `blob-${name}`,
  width: 640,
  height: 480,
  ...changes,
});

describe('findOddities', () => {
  it('finds nothing in a plain set', () => {
    expect(findOddities(['a', 'b', 'c'].map((name) => image(name)))).toEqual([]);
  });

  it('names the same image twice, and first of all one that is good here and NG there', () => {
    const images = [image('a'), image('b', { blob: 'blob-a' }), image('c', { blob: 'blob-a', good: false })];
    expect(findOddities(images)).toEqual([
      { kind: 'contradiction', item_id: 'id-c', name: 'c', other: 'a' },
      { kind: 'duplicate', item_id: 'id-b', name: 'b', other: 'a' },
    ]);
  });

  it('does not mind two equal images of one item', () => {
    expect(findOddities([image('a'), image('a')])).toEqual([]);
  });

  it('names sizes unlike the usual one, but only where there is a usual one', () => {
    const other = image('other', { width: 480, height: 640 });
    const plain = ['a', 'b', 'c'].map((name) => image(name));
    expect(findOddities([...plain, other])).toEqual([
      { kind: 'size', item_id: 'id-other', name: 'other', other: '640 × 480' },
    ]);
    expect(findOddities([image('a'), other])).toEqual([]);
  });

  it('names images that nothing can be learned from, once each', () => {
    const images = [image('a'), image('b'), image('dot', { width: 1, height: 1 }), image('line', { height: 16 })];
    expect(findOddities(images, new Map([['blob-b', 'no_contrast']]))).toEqual([
      { kind: 'no_contrast', item_id: 'id-b', name: 'b', other: '640 × 480' },
      { kind: 'too_small', item_id: 'id-dot', name: 'dot', other: '1 × 1' },
      { kind: 'too_narrow', item_id: 'id-line', name: 'line', other: '640 × 16' },
    ]);
  });
});

describe('countLearnedItems', () => {
  it('counts items, not images, and neither copies nor NG items', () => {
    const twoSided = [image('a', { blob: 'top' }), image('a', { blob: 'side' })];
    const copy = image('b', { blob: 'top' });
    expect(countLearnedItems([...twoSided, copy, image('c', { good: false }), image('d')])).toBe(2);
  });
});
