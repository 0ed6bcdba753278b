import { describe, expect, it } from 'vitest';
import { blockCells } from './block-search.ts';

describe('blockCells', () => {
  it('lists the cells two by two', () => {
    expect([...blockCells(2, 4, 2)]).toEqual([0, 1, 4, 5, 2, 3, 6, 7]);
  });

  it('repeats the last cells where a block reaches over the end', () => {
    expect([...blockCells(3, 3, 2)]).toEqual([0, 1, 3, 4, 2, 2, 5, 5, 6, 7, 6, 7, 8, 8, 8, 8]);
    expect([...blockCells(1, 1, 2)]).toEqual([0, 0, 0, 0]);
  });

  it('lists them row by row where a block is one cell', () => {
    expect([...blockCells(2, 3, 1)]).toEqual([0, 1, 2, 3, 4, 5]);
  });
});
