import { describe, expect, it } from 'vitest';
import { connectedComponents } from './connected-components.ts';
import { createRandom } from './random.ts';

/** Labels by repeated spreading of the smallest index: slow and obvious. */
function slowLabels(included: Uint8Array, columns: number): Set<string> {
  const labels = Array.from(included, (value, index) => (value ? index : -1));
  for (let changed = true; changed; ) {
    changed = false;
    for (let a = 0; a < labels.length; a++)
      for (let b = 0; b < labels.length; b++) {
        const close =
          Math.abs(Math.floor(a / columns) - Math.floor(b / columns)) <= 1 &&
          Math.abs((a % columns) - (b % columns)) <= 1;
        const [la = -1, lb = -1] = [labels[a], labels[b]];
        if (close && la >= 0 && lb > la) {
          labels[b] = la;
          changed = true;
        }
      }
  }
  return new Set(
    [...new Set(labels.filter((label) => label >= 0))].map((label) => {
      const cells = labels.flatMap((value, index) => (value === label ? [index] : []));
      const ys = cells.map((cell) => Math.floor(cell / columns));
      const xs = cells.map((cell) => cell % columns);
      return [
        cells.length,
        Math.min(...ys),
        Math.max(...ys),
        Math.min(...xs),
        Math.max(...xs),
        Math.max(...cells),
      ].join();
    }),
  );
}

describe('connectedComponents', () => {
  it.each([0.2, 0.4, 0.6])('equals slow labelling at a density of %d', (density) => {
    const random = createRandom(density * 10);
    const [rows, columns] = [9, 11];
    const included = Uint8Array.from({ length: rows * columns }, () => (random.next() < density ? 1 : 0));
    // The value of a cell is its index, so that the peak is the last cell.
    const values = Float32Array.from(included, (_, index) => index);
    const fast = connectedComponents(values, included, rows, columns).map((c) =>
      [c.cells, c.firstRow, c.lastRow, c.firstColumn, c.lastColumn, c.peak].join(),
    );
    expect(new Set(fast)).toEqual(slowLabels(included, columns));
  });

  it('finds nothing in nothing', () => {
    expect(connectedComponents(new Float32Array(6), new Uint8Array(6), 2, 3)).toEqual([]);
  });
});
