import type { Matrix } from '../math/matrix.ts';

/** Places for matrices, one behind the other. */
export interface RowSlots {
  /** The matrix in its place; where it is larger than that, it stays where it is. */
  put(slot: number, matrix: Matrix): Matrix;
}

/**
 * One piece of memory for what is kept of many images, each place as large as a first matrix. Kept piece by piece, among
 * all that comes and goes with an image, it would leave holes into which nothing fits. What is not filled takes no memory.
 */
export function openRowSlots(slots: number, { rows, columns }: Matrix): RowSlots {
  const size = rows * columns;
  const all = new Float32Array(slots * size);
  return {
    put(slot, matrix) {
      if (matrix.columns !== columns || matrix.rows > rows) return matrix;
      const data = all.subarray(slot * size, slot * size + matrix.data.length);
      data.set(matrix.data);
      return { ...matrix, data };
    },
  };
}
