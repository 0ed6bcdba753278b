import type { Matrix } from '../../math/matrix.ts';

/** One orientation of an image: mirrored if so, then turned clockwise by quarter turns. */
export interface View {
  readonly turn: 0 | 1 | 2 | 3;
  readonly mirrored: boolean;
}

/** The orientations that training and test-time augmentation may use. */
export interface Augmentation {
  readonly rotations: boolean;
  readonly flips: boolean;
}

export function viewsOf({ rotations, flips }: Augmentation): View[] {
  const turns = rotations ? ([0, 1, 2, 3] as const) : ([0] as const);
  return turns.flatMap((turn) => (flips ? [false, true] : [false]).map((mirrored) => ({ turn, mirrored })));
}

/** The index in a view's output of a cell of the image. A quarter turn makes rows of the image's columns. */
function cellInView({ turn, mirrored }: View, row: number, column: number, rows: number, columns: number): number {
  const across = mirrored ? columns - 1 - column : column;
  switch (turn) {
    case 0:
      return row * columns + across;
    case 1:
      return across * rows + rows - 1 - row;
    case 2:
      return (rows - 1 - row) * columns + columns - 1 - across;
    case 3:
      return (columns - 1 - across) * rows + row;
  }
}

/** Added to each cell's weight, so that the weights never sum up to 0. */
const MIN_WEIGHT = 1e-3;

/**
 * Averages the outputs of a network for several views of one image (test-time augmentation). Sides are weighted by the
 * probability of a defect.
 * @param views outputs [cells, 1 + classes + 4] of each view
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
  const classes = width - 4;
  for (const { view, cells } of views) {
    // Left, top, right and bottom follow each other clockwise.
    const sides = (view.mirrored ? [2, 1, 0, 3] : [0, 1, 2, 3]).map((side) => (side + view.turn) % 4);
    for (let row = 0; row < rows; row++)
      for (let column = 0; column < columns; column++) {
        const cell = row * columns + column;
        const to = cell * width;
        const from = cellInView(view, row, column, rows, columns) * width;
        const weight = MIN_WEIGHT + 1 - cells.data[from]!;
        weights[cell]! += weight;
        for (let k = 0; k < classes; k++) data[to + k]! += cells.data[from + k]! / views.length;
        for (let side = 0; side < 4; side++)
          data[to + classes + side]! += weight * cells.data[from + classes + sides[side]!]!;
      }
  }
  weights.forEach((weight, cell) => {
    for (let side = 0; side < 4; side++) data[cell * width + classes + side]! /= weight;
  });
  return { rows: rows * columns, columns: width, data };
}
