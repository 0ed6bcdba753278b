/** Cells that touch along an edge or at a corner, in one rectangle of the grid. */
export interface Component {
  readonly cells: number;
  readonly firstRow: number;
  readonly lastRow: number;
  readonly firstColumn: number;
  readonly lastColumn: number;
  /** Highest value among the cells. */
  readonly peak: number;
}

export interface Labelling {
  /** [rows · columns], the number of the cell's component from 1, or 0 outside of all. */
  readonly labels: Int32Array;
  /** Cells of each component, in the order of their first cell from the top left. */
  readonly areas: readonly number[];
}

/** 8-connected components of the cells that are not 0. @param included [rows · columns] */
export function labelComponents(included: Uint8Array, rows: number, columns: number): Labelling {
  const labels = new Int32Array(included.length);
  const areas: number[] = [];
  // Each cell is put on the stack once.
  const stack = new Int32Array(included.length);
  for (let start = 0; start < included.length; start++) {
    if (included[start] === 0 || labels[start] !== 0) continue;
    const label = areas.length + 1;
    let depth = 0;
    let area = 0;
    stack[depth++] = start;
    labels[start] = label;
    while (depth > 0) {
      const cell = stack[--depth]!;
      const row = Math.floor(cell / columns);
      const column = cell - row * columns;
      area++;
      const left = Math.max(column - 1, 0);
      const right = Math.min(column + 1, columns - 1);
      const bottom = Math.min(row + 1, rows - 1);
      for (let y = Math.max(row - 1, 0); y <= bottom; y++)
        for (let next = y * columns + left; next <= y * columns + right; next++) {
          if (included[next] === 0 || labels[next] !== 0) continue;
          labels[next] = label;
          stack[depth++] = next;
        }
    }
    areas.push(area);
  }
  return { labels, areas };
}

/**
 * Size, rectangle and highest value of each component.
 * @param values [rows · columns] @param included [rows · columns], 0 = not included
 */
export function connectedComponents(
  values: Float32Array,
  included: Uint8Array,
  rows: number,
  columns: number,
): Component[] {
  const { labels, areas } = labelComponents(included, rows, columns);
  const found = areas.map((cells) => ({
    cells,
    firstRow: rows,
    lastRow: -1,
    firstColumn: columns,
    lastColumn: -1,
    peak: Number.NEGATIVE_INFINITY,
  }));
  for (let row = 0, cell = 0; row < rows; row++)
    for (let column = 0; column < columns; column++, cell++) {
      if (labels[cell] === 0) continue;
      const component = found[labels[cell]! - 1]!;
      component.firstRow = Math.min(component.firstRow, row);
      component.lastRow = row;
      component.firstColumn = Math.min(component.firstColumn, column);
      component.lastColumn = Math.max(component.lastColumn, column);
      component.peak = Math.max(component.peak, values[cell]!);
    }
  return found;
}
