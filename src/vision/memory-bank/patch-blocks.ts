/** Neighbouring cells in each direction that are searched for together, and their number. */
const SIDE = 2;
export const BLOCK = SIDE * SIDE;

/** Cells of a grid block by block, {@link BLOCK} in a row; blocks that reach over its end repeat its last cells. */
export function blockCells(rows: number, columns: number): Uint32Array {
  const cells = new Uint32Array(BLOCK * Math.ceil(rows / SIDE) * Math.ceil(columns / SIDE));
  let at = 0;
  for (let top = 0; top < rows; top += SIDE)
    for (let left = 0; left < columns; left += SIDE)
      for (let y = top; y < top + SIDE; y++)
        for (let x = left; x < left + SIDE; x++)
          cells[at++] = Math.min(y, rows - 1) * columns + Math.min(x, columns - 1);
  return cells;
}
