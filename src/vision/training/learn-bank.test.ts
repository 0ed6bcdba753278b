import { describe, expect, it } from 'vitest';
import { someGrids } from './learn-bank.ts';

const grid = (patches: number) => ({
  grid: { rows: 1, columns: patches, dims: 1, step: 1, steps: new Int16Array(patches) },
});

describe('someGrids', () => {
  it('takes the first grids that there are until they are thousands of patches', () => {
    const images = [grid(2000), {}, grid(2000), grid(2000), grid(7)];
    expect(someGrids(images).map(({ columns }) => columns)).toEqual([2000, 2000, 2000]);
    expect(someGrids([{}, grid(7)]).map(({ columns }) => columns)).toEqual([7]);
    expect(someGrids([{}])).toEqual([]);
  });
});
