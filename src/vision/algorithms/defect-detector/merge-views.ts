import type { Matrix } from '../../math/matrix.ts';
import type { Turning } from './training-windows.ts';

/** How an image is shown: mirrored where asked, then turned clockwise by quarter turns. */
export interface View {
  readonly turn: 0 | 1 | 2 | 3;
  readonly mirrored: boolean;
}

/** The views that a network has learned to judge alike. */
export function viewsOf({ rotations, flips }: Turning): View[] {
  const turns = rotations ? ([0, 1, 2, 3] as const) : ([0] as const);
  return turns.flatMap((turn) => (flips ? [false, true] : [false]).map((mirrored) => ({ turn, mirrored })));
}

/** Where a cell of the image lies in the view, whose rows are the image's columns after a quarter turn. */
function turnedCells({ turn, mirrored }: View, rows: number, columns: number): (row: number, column: number) => number {
  const [lastRow, lastColumn] = [rows - 1, columns - 1];
  const across = mirrored ? (column: number) => lastColumn - column : (column: number) => column;
  const places = [
    (row: number, column: number) => row * columns + across(column),
    (row: number, column: number) => across(column) * rows + lastRow - row,
    (row: number, column: number) => (lastRow - row) * columns + lastColumn - across(column),
    (row: number, column: number) => (lastColumn - across(column)) * rows + row,
  ] as const;
  return places[turn];
}

/** Least weight of a cell's lengths, so that they are never a division by 0. */
const LEAST_WEIGHT = 1e-3;

/**
 * The mean of what a network gives for some views of one image, lengths weighted by how sure it is of a defect.
 * @param views outputs [cells, 1 + classes + 4] of each
 * @returns the same for the image as it is
 */
export function mergeViews(
  views: readonly { readonly view: View; readonly cells: Matrix }[],
  rows: number,
  columns: number,
): Matrix {
  const width = views[0]?.cells.columns ?? 0;
  const data = new Float32Array(rows * columns * width);
  const weights = new Float32Array(rows * columns);
  const kinds = width - 4;
  for (const { view, cells } of views) {
    const places = turnedCells(view, rows, columns);
    // Left, top, right and bottom follow each other clockwise.
    const sides = (view.mirrored ? [2, 1, 0, 3] : [0, 1, 2, 3]).map((side) => (side + view.turn) % 4);
    for (let row = 0; row < rows; row++)
      for (let column = 0; column < columns; column++) {
        const to = row * columns + column;
        const from = places(row, column) * width;
        const weight = LEAST_WEIGHT + 1 - cells.data[from]!;
        weights[to]! += weight;
        for (let kind = 0; kind < kinds; kind++) data[to * width + kind]! += cells.data[from + kind]! / views.length;
        for (let side = 0; side < 4; side++)
          data[to * width + kinds + side]! += weight * cells.data[from + kinds + sides[side]!]!;
      }
  }
  weights.forEach((weight, cell) => {
    for (let side = 0; side < 4; side++) data[cell * width + kinds + side]! /= weight;
  });
  return { rows: rows * columns, columns: width, data };
}
