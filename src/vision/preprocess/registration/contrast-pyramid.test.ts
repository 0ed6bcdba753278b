import { expect, it } from 'vitest';
import { createRandom } from '../../math/random.ts';
import type { RgbImage } from '../../types.ts';
import { buildContrastPyramid } from './contrast-pyramid.ts';

function noise(width: number, height: number, gain = 1, offset = 0): RgbImage {
  const random = createRandom(4);
  const data = Uint8Array.from({ length: width * height * 3 }, () => offset + gain * random.integer(100));
  return { width, height, data };
}

/** Mean brightness of one cell by its definition: every pixel by the area that it shares with the cell. */
function slowCell(image: RgbImage, cell: number, column: number, row: number): number {
  let sum = 0;
  for (let y = 0; y < image.height; y++) {
    for (let x = 0; x < image.width; x++) {
      const wide = Math.max(0, Math.min(x + 1, (column + 1) * cell) - Math.max(x, column * cell));
      const high = Math.max(0, Math.min(y + 1, (row + 1) * cell) - Math.max(y, row * cell));
      const at = (y * image.width + x) * 3;
      const luma = 0.299 * image.data[at]! + 0.587 * image.data[at + 1]! + 0.114 * image.data[at + 2]!;
      sum += luma * wide * high;
    }
  }
  return sum / (cell * cell);
}

it('is the local contrast of averaged cells', () => {
  const image = noise(300, 40);
  const { cell, levels } = buildContrastPyramid(image);
  const [fine] = levels;
  expect(cell).toBeCloseTo(300 / 256, 12);
  expect([fine.columns, fine.rows]).toEqual([256, 32]);
  // Not more than a corner: the definition reads every pixel for every cell.
  const window = [0, 1, 2, 3, 4, 5, 6].flatMap((r) => [0, 1, 2, 3, 4, 5, 6].map((c) => slowCell(image, cell, c, r)));
  const mean = window.reduce((sum, value) => sum + value, 0) / 49;
  const variance = window.reduce((sum, value) => sum + (value - mean) ** 2, 0) / 49;
  expect(fine.data[0]).toBeCloseTo((slowCell(image, cell, 0, 0) - mean) / Math.sqrt(variance + 36), 3);
});

it('halves twice', () => {
  const { levels } = buildContrastPyramid(noise(128, 96));
  expect(levels.map((plane) => [plane.columns, plane.rows])).toEqual([
    [128, 96],
    [64, 48],
    [32, 24],
  ]);
});

it('does not see brightness, and hardly gain', () => {
  const [plain] = buildContrastPyramid(noise(64, 64)).levels;
  const [brighter] = buildContrastPyramid(noise(64, 64, 1, 40)).levels;
  const [stronger] = buildContrastPyramid(noise(64, 64, 2, 10)).levels;
  plain.data.forEach((value, at) => {
    expect(Math.abs(value - brighter.data[at]!)).toBeLessThan(1e-3);
    expect(Math.abs(value - stronger.data[at]!)).toBeLessThan(0.2);
  });
});
