/** Rows from `top` to before `bottom`, columns from `left` to before `right`. */
export interface CellBounds {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

/** The smallest part of a grid that holds all the cells; without any, `top` and `left` are infinite. */
export function boundsOf(cells: Iterable<number>, columns: number): CellBounds {
  let [top, bottom, left, right] = [Number.POSITIVE_INFINITY, 0, Number.POSITIVE_INFINITY, 0];
  for (const cell of cells) {
    const row = Math.floor(cell / columns);
    const column = cell - row * columns;
    top = Math.min(top, row);
    bottom = Math.max(bottom, row + 1);
    left = Math.min(left, column);
    right = Math.max(right, column + 1);
  }
  return { top, bottom, left, right };
}
