import { expect, it } from 'vitest';
import { boundsOf } from './cell-bounds.ts';

it('finds the part of a grid around cells', () => {
  expect(boundsOf([6, 13, 8], 5)).toEqual({ top: 1, bottom: 3, left: 1, right: 4 });
  expect(boundsOf(Int32Array.of(0), 5)).toEqual({ top: 0, bottom: 1, left: 0, right: 1 });
});
