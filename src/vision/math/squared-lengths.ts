import type { Matrix } from './matrix.ts';

/** Of each row. [rows] */
export function squaredLengths({ rows, columns, data }: Matrix): Float64Array {
  return Float64Array.from({ length: rows }, (_, row) => {
    let sum = 0;
    for (let d = 0; d < columns; d++) sum += data[row * columns + d]! ** 2;
    return sum;
  });
}
