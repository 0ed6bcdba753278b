import { expect, it } from 'vitest';
import { softmaxRows, transposed } from './matrix.ts';

it('makes columns of rows', () => {
  const matrix = { rows: 2, columns: 3, data: Float32Array.of(1, 2, 3, 4, 5, 6) };
  expect(transposed(matrix)).toEqual({ rows: 3, columns: 2, data: Float32Array.of(1, 4, 2, 5, 3, 6) });
  expect(transposed(transposed(matrix))).toEqual(matrix);
});

it('makes probabilities of the values of each row, also of huge ones', () => {
  const data = Float32Array.of(0, Math.log(3), 1000, 1000);
  softmaxRows(data, 2);
  expect(data[0]).toBeCloseTo(0.25, 6);
  expect(data[1]).toBeCloseTo(0.75, 6);
  expect([...data.slice(2)]).toEqual([0.5, 0.5]);
});
