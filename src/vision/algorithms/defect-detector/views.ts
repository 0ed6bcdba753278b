import Type, { type Static } from 'typebox';
import { turnImage } from '../../image/arrange-image.ts';
import { applyAffine, composeAffine, IDENTITY } from '../../math/affine.ts';
import type { Matrix } from '../../math/matrix.ts';
import type { Affine, RgbImage } from '../../types.ts';

/** One orientation of an image: mirrored if so, then turned clockwise by quarter turns. */
export const VIEW = Type.Object({
  turn: Type.Union([Type.Literal(0), Type.Literal(1), Type.Literal(2), Type.Literal(3)]),
  mirrored: Type.Boolean(),
});
export type View = Static<typeof VIEW>;

/** The orientations that training and test-time augmentation may use. */
export interface Augmentation {
  readonly rotations: boolean;
  readonly flips: boolean;
}

/** All orientations, the image as it is first. */
export function viewsOf({ rotations, flips }: Augmentation): View[] {
  const turns = rotations ? ([0, 2, 1, 3] as const) : ([0] as const);
  return (flips ? [false, true] : [false]).flatMap((mirrored) => turns.map((turn) => ({ turn, mirrored })));
}

/** Views of an image that a prediction averages. */
export const PREDICTED_VIEWS = 2;

export const viewImage = (image: RgbImage, { turn, mirrored }: View): RgbImage =>
  turn === 0 && !mirrored ? image : turnImage(image, turn, mirrored);

/** From coordinates of an image of this size to coordinates of its view. */
export function viewTransform({ turn, mirrored }: View, width: number, height: number): Affine {
  const turns: Record<View['turn'], Affine> = {
    0: IDENTITY,
    1: { a: 0, b: -1, c: height, d: 1, e: 0, f: 0 },
    2: { a: -1, b: 0, c: width, d: 0, e: -1, f: height },
    3: { a: 0, b: 1, c: 0, d: -1, e: 0, f: width },
  };
  return mirrored ? composeAffine(turns[turn], { ...IDENTITY, a: -1, c: width }) : turns[turn];
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
    const toView = viewTransform(view, columns, rows);
    const viewColumns = view.turn % 2 === 0 ? columns : rows;
    // Left, top, right and bottom follow each other clockwise.
    const sides = (view.mirrored ? [2, 1, 0, 3] : [0, 1, 2, 3]).map((side) => (side + view.turn) % 4);
    const placeOf = (row: number, column: number): number => {
      const [x, y] = applyAffine(toView, column + 0.5, row + 0.5);
      return (Math.floor(y) * viewColumns + Math.floor(x)) * width;
    };
    const first = placeOf(0, 0);
    const [across, down] = [placeOf(0, 1) - first, placeOf(1, 0) - first];
    for (let row = 0; row < rows; row++)
      for (let column = 0; column < columns; column++) {
        const from = first + row * down + column * across;
        const cell = row * columns + column;
        const to = cell * width;
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
