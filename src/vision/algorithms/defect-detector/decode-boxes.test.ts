import { describe, expect, it } from 'vitest';
import { prepared } from '../../../../test/vision/synthetic-product.ts';
import { decodeBoxes } from './decode-boxes.ts';

describe('decodeBoxes', () => {
  const frame = { ...prepared({ width: 64, height: 64, data: new Uint8Array(0) }) };

  it('joins boxes of one defect, and keeps another class and another place apart', () => {
    const [rows, columns, width] = [8, 8, 7];
    const data = new Float32Array(rows * columns * width);
    const propose = (cell: number, first: number, second: number, left: number): void =>
      data.set([1 - first - second, first, second, left, 0.5, 1 - left, 0.5], cell * width);
    for (let cell = 0; cell < 64; cell++) propose(cell, 0, 0, 0.5);
    // Neighbours that mean the same rectangle, 8 to 24 across; the second thinks of class 2 as well.
    propose(9, 0.9, 0, 0.25);
    propose(10, 0.6, 0.3, 0.75);
    propose(54, 0, 0.8, 0.5);
    const found = decodeBoxes({ rows, columns, patches: { rows: 64, columns: width, data } }, frame);
    expect(found.map(({ labelIndex, probability }) => [labelIndex, Number(probability.toFixed(3))])).toEqual([
      [0, 0.9],
      [1, 0.8],
      [1, 0.3],
    ]);
    expect([found[0]?.xMin, found[0]?.xMax]).toEqual([8, 24]);
  });
});
