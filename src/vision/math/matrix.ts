/** A row-major matrix. `data` is [rows · columns]. */
export interface Matrix {
  readonly rows: number;
  readonly columns: number;
  readonly data: Float32Array;
}

/** Rows of many matrices, numbered through, which stay where they are: one matrix of them takes 41 MB more in a training. */
export interface Rows {
  readonly rows: number;
  readonly columns: number;
  /** A copy of the given ones, in the order given. */
  take(rows: Uint32Array): Matrix;
}

export function joinRows(parts: readonly Matrix[]): Rows {
  const columns = parts[0]?.columns ?? 0;
  // Of each part the first row's number, and behind the last part that of all rows.
  const starts = new Uint32Array(parts.length + 1);
  for (const [index, { rows }] of parts.entries()) starts[index + 1] = starts[index]! + rows;
  const partOf = (row: number): number => {
    let [low, high] = [0, parts.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (starts[middle]! <= row) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  return {
    rows: starts[parts.length]!,
    columns,
    take(rows) {
      const data = new Float32Array(rows.length * columns);
      rows.forEach((row, at) => {
        const part = partOf(row);
        const from = (row - starts[part]!) * columns;
        data.set(parts[part]!.data.subarray(from, from + columns), at * columns);
      });
      return { rows: rows.length, columns, data };
    },
  };
}

/** The given rows, in the order given; rows that follow each other are copied at once. */
export function takeRows(matrix: Matrix, rows: Uint32Array): Matrix {
  const { columns } = matrix;
  const data = new Float32Array(rows.length * columns);
  for (let start = 0, end = 0; start < rows.length; start = end) {
    const first = rows[start]!;
    while (end < rows.length && rows[end] === first + end - start) end++;
    data.set(matrix.data.subarray(first * columns, (first + end - start) * columns), start * columns);
  }
  return { rows: rows.length, columns, data };
}

/** The rows of all parts, one part after the other. */
export function stackRows(parts: readonly Matrix[]): Matrix {
  const rows = parts.reduce((sum, part) => sum + part.rows, 0);
  const columns = parts[0]?.columns ?? 0;
  const data = new Float32Array(rows * columns);
  let offset = 0;
  for (const part of parts) {
    data.set(part.data, offset);
    offset += part.data.length;
  }
  return { rows, columns, data };
}

/** [rows, columns] as [columns, rows]. */
export function transposed({ rows, columns, data }: Matrix): Matrix {
  const result = new Float32Array(data.length);
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++) result[column * rows + row] = data[row * columns + column]!;
  return { rows: columns, columns: rows, data: result };
}

/** Of each row. [rows] */
export function squaredLengths({ rows, columns, data }: Matrix): Float64Array {
  return Float64Array.from({ length: rows }, (_, row) => {
    let sum = 0;
    for (let d = 0; d < columns; d++) sum += data[row * columns + d]! ** 2;
    return sum;
  });
}

/** Turns every row of `width` values into probabilities, in place. */
export function softmaxRows(data: Float32Array, width: number): void {
  for (let row = 0; row < data.length; row += width) {
    let highest = Number.NEGATIVE_INFINITY;
    for (let k = 0; k < width; k++) highest = Math.max(highest, data[row + k]!);
    let sum = 0;
    for (let k = 0; k < width; k++) sum += data[row + k] = Math.exp(data[row + k]! - highest);
    for (let k = 0; k < width; k++) data[row + k]! /= sum;
  }
}
