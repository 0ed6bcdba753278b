import type { PatchFeatures } from '../../features/patch-extractor.ts';
import type { Matrix } from '../../onnx/open-matrix-product.ts';

/** Cells between a patch and those that it is seen together with: the context that tells a gap from a notch. */
const REACH = 3;
const TAPS = [
  [0, 0],
  [-REACH, 0],
  [REACH, 0],
  [0, -REACH],
  [0, REACH],
] as const;

export const inputsOf = (axes: number): number => TAPS.length * axes;

/**
 * Each of the cells together with four cells around it (at the border, with the outermost one).
 * @returns [cells, inputs]
 */
export function cellInputs({ rows, columns, patches }: PatchFeatures, cells: ArrayLike<number>): Matrix {
  const dims = patches.columns;
  const data = new Float32Array(cells.length * inputsOf(dims));
  let to = 0;
  for (let i = 0; i < cells.length; i++) {
    const [row, column] = [Math.floor(cells[i]! / columns), cells[i]! % columns];
    for (const [dy, dx] of TAPS) {
      const y = Math.min(rows - 1, Math.max(0, row + dy));
      const x = Math.min(columns - 1, Math.max(0, column + dx));
      const from = (y * columns + x) * dims;
      data.set(patches.data.subarray(from, from + dims), to);
      to += dims;
    }
  }
  return { rows: cells.length, columns: inputsOf(dims), data };
}
