/**
 * 8-connected components of the cells that are not 0. @param included [rows · columns]
 * @returns `labels` [rows · columns]: the number of the cell's component from 1, or 0 outside of all; `areas`: the
 * cells of each component, in the order of their first cell from the top left
 */
export function labelComponents(included: Uint8Array, rows: number, columns: number) {
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

export type Component = ReturnType<typeof connectedComponents>[number];

/**
 * Number of cells, rectangle and highest value of each component.
 * @param values [rows · columns] @param included [rows · columns], 0 = not included
 */
export function connectedComponents(values: Float32Array, included: Uint8Array, rows: number, columns: number) {
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
