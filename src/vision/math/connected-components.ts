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

const NEIGHBOURS = [-1, 0, 1].flatMap((dy) => [-1, 0, 1].map((dx) => [dy, dx] as const));

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
  const waiting = Uint8Array.from(included);
  const found: Component[] = [];
  for (let start = 0; start < waiting.length; start++)
    if (waiting[start] === 1) found.push(flood(values, waiting, rows, columns, start));
  return found;
}

function flood(values: Float32Array, waiting: Uint8Array, rows: number, columns: number, start: number): Component {
  const stack = [start];
  waiting[start] = 0;
  let [cells, peak] = [0, Number.NEGATIVE_INFINITY];
  let [firstRow, lastRow, firstColumn, lastColumn] = [rows, -1, columns, -1];
  for (let cell = stack.pop(); cell !== undefined; cell = stack.pop()) {
    const [row, column] = [Math.floor(cell / columns), cell % columns];
    cells++;
    peak = Math.max(peak, values[cell]!);
    firstRow = Math.min(firstRow, row);
    lastRow = Math.max(lastRow, row);
    firstColumn = Math.min(firstColumn, column);
    lastColumn = Math.max(lastColumn, column);
    for (const [dy, dx] of NEIGHBOURS) {
      const [y, x] = [row + dy, column + dx];
      const next = y * columns + x;
      if (y < 0 || y >= rows || x < 0 || x >= columns || waiting[next] !== 1) continue;
      waiting[next] = 0;
      stack.push(next);
    }
  }
  return { cells, firstRow, lastRow, firstColumn, lastColumn, peak };
}
