/** Cells that touch along an edge or at a corner and pass the test, in one rectangle of the grid. */
export interface Component {
  readonly cells: number;
  readonly firstRow: number;
  readonly lastRow: number;
  readonly firstColumn: number;
  readonly lastColumn: number;
  /** Highest value among the cells. */
  readonly peak: number;
}

/**
 * 8-connected components of the cells for which `included` is 1, in the order of their first cell from the top left.
 * @param values [rows · columns] @param included [rows · columns], 1 or 0
 */
export function connectedComponents(
  values: Float32Array,
  included: Uint8Array,
  rows: number,
  columns: number,
): Component[] {
  const waiting = new Uint8Array(included);
  // Each cell is put on the stack once.
  const stack = new Int32Array(waiting.length);
  const found: Component[] = [];
  for (let start = waiting.indexOf(1); start >= 0; start = waiting.indexOf(1, start + 1))
    found.push(flood(values, waiting, stack, rows, columns, start));
  return found;
}

function flood(
  values: Float32Array,
  waiting: Uint8Array,
  stack: Int32Array,
  rows: number,
  columns: number,
  start: number,
): Component {
  let depth = 0;
  stack[depth++] = start;
  waiting[start] = 0;
  let cells = 0;
  let peak = Number.NEGATIVE_INFINITY;
  let [firstRow, lastRow, firstColumn, lastColumn] = [rows, -1, columns, -1];
  while (depth > 0) {
    const cell = stack[--depth]!;
    const row = Math.floor(cell / columns);
    const column = cell - row * columns;
    cells++;
    if (values[cell]! > peak) peak = values[cell]!;
    if (row < firstRow) firstRow = row;
    if (row > lastRow) lastRow = row;
    if (column < firstColumn) firstColumn = column;
    if (column > lastColumn) lastColumn = column;
    const left = Math.max(column - 1, 0);
    const right = Math.min(column + 1, columns - 1);
    const bottom = Math.min(row + 1, rows - 1);
    for (let y = Math.max(row - 1, 0); y <= bottom; y++)
      for (let next = y * columns + left; next <= y * columns + right; next++) {
        if (waiting[next] !== 1) continue;
        waiting[next] = 0;
        stack[depth++] = next;
      }
  }
  return { cells, firstRow, lastRow, firstColumn, lastColumn, peak };
}
