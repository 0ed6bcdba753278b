import { expect, it } from 'vitest';
import { transposed } from './matrix.ts';

it('makes columns of rows', () => {
  const matrix = { rows: 2, columns: 3, data: Float32Array.of(1, 2, 3, 4, 5, 6) };
  expect(transposed(matrix)).toEqual({ rows: 3, columns: 2, data: Float32Array.of(1, 4, 2, 5, 3, 6) });
  expect(transposed(transposed(matrix))).toEqual(matrix);
});
