import { expect, it } from 'vitest';
import { traceOutline } from './trace-outline.ts';

const shape = (...lines: string[]) => ({
  left: 10,
  top: 20,
  cellWidth: 2,
  cellHeight: 3,
  rows: lines.length,
  columns: lines[0]!.length,
  inside: Uint8Array.from(lines.join(''), (letter) => (letter === '#' ? 1 : 0)),
});

it('gives the corners of a rectangle and of a single cell, in pixels and clockwise', () => {
  expect(traceOutline(shape('.....', '.###.', '.###.'))).toEqual([
    [12, 23],
    [18, 23],
    [18, 29],
    [12, 29],
  ]);
  expect(traceOutline(shape('...', '..#'))).toEqual([
    [14, 23],
    [16, 23],
    [16, 26],
    [14, 26],
  ]);
});

it('goes around cells that touch at a corner only, and not into holes', () => {
  const corners = traceOutline(shape('##..', '##..', '..##', '..##'));
  expect(corners).toContainEqual([14, 26]);
  expect(corners).toContainEqual([18, 32]);
  expect(traceOutline(shape('###', '#.#', '###'))).toHaveLength(4);
});

it('makes a line of the steps of a slanted border', () => {
  const lines = Array.from({ length: 20 }, (_, row) => '#'.repeat(row + 1).padEnd(20, '.'));
  expect(traceOutline(shape(...lines)).length).toBeLessThan(7);
});
