import { describe, expect, it } from 'vitest';
import { someFeatures } from './learn-bank.ts';

const image = (patches: number) => ({
  featureMap: { rows: 1, columns: patches, dims: 1, step: 1, steps: new Int16Array(patches) },
});

describe('someFeatures', () => {
  it('takes the first feature maps until they are thousands of patches', () => {
    const images = [image(2000), {}, image(2000), image(2000), image(7)];
    expect(someFeatures(images).map(({ columns }) => columns)).toEqual([2000, 2000, 2000]);
    expect(someFeatures([{}, image(7)]).map(({ columns }) => columns)).toEqual([7]);
    expect(someFeatures([{}])).toEqual([]);
  });
});
