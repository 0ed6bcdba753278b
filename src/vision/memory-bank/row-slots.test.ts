import { expect, it } from 'vitest';
import { stackRows } from '../math/matrix.ts';
import { openRowSlots } from './row-slots.ts';

const matrix = (rows: number, value: number, columns = 3) => ({
  ...{ rows, columns },
  data: new Float32Array(rows * columns).fill(value),
});

it('brings matrices into one piece of memory, in which they can be stacked without a copy', () => {
  const slots = openRowSlots(3, matrix(2, 0));
  const [third, first, second] = [slots.put(2, matrix(2, 3)), slots.put(0, matrix(2, 1)), slots.put(1, matrix(2, 2))];
  const stacked = stackRows([first, second, third]);
  expect(stacked).toEqual({ rows: 6, columns: 3, data: Float32Array.from([1, 2, 3].flatMap((n) => Array(6).fill(n))) });
  expect(stacked.data.buffer).toBe(first.data.buffer);
});

it('copies where they do not lie one behind the other, and leaves what is too large where it is', () => {
  const slots = openRowSlots(3, matrix(2, 0));
  const [small, last, large] = [slots.put(0, matrix(1, 1)), slots.put(1, matrix(2, 2)), matrix(3, 3)];
  expect(slots.put(2, large)).toBe(large);
  const other = matrix(2, 4, 2);
  expect(slots.put(2, other)).toBe(other);
  for (const parts of [
    [small, last],
    [last, small],
    [small, large],
  ]) {
    const { data, rows } = stackRows(parts);
    expect([...data]).toEqual(parts.flatMap((part) => [...part.data]));
    expect(rows).toBe(parts.reduce((sum, part) => sum + part.rows, 0));
    expect(data.buffer).not.toBe(small.data.buffer);
  }
});
