import type { Matrix } from './matrix.ts';

/** [rows, columns] as [columns, rows]. */
export function transposed({ rows, columns, data }: Matrix): Matrix {
  const result = new Float32Array(data.length);
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++) result[column * rows + row] = data[row * columns + column]!;
  return { rows: columns, columns: rows, data: result };
}
