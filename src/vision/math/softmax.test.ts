import { expect, it } from 'vitest';
import { softmaxRows } from './softmax.ts';

it('makes probabilities of the first values of each row, also of huge ones, and leaves the rest', () => {
  const data = Float32Array.of(0, Math.log(3), 7, 1000, 1000, -2);
  softmaxRows(data, 3, 2);
  expect(data[0]).toBeCloseTo(0.25, 6);
  expect(data[1]).toBeCloseTo(0.75, 6);
  expect([...data.slice(2)]).toEqual([7, 0.5, 0.5, -2]);
});
