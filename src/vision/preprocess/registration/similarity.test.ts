import { expect, it } from 'vitest';
import { applyAffine } from '../../math/affine.ts';
import { afterInverseOf, type Similarity, similarityFrom, toPixels } from './similarity.ts';

const apply = (map: Similarity, x: number, y: number): [number, number] => [
  map.re * x - map.im * y + map.x,
  map.im * x + map.re * y + map.y,
];

it('undoes a small step before the map', () => {
  const map = similarityFrom(20, 3, -2);
  const step = { re: 0.02, im: -0.05, x: 0.4, y: 0.3 };
  const updated = afterInverseOf(map, step);
  const [x, y] = apply({ ...step, re: 1 + step.re }, 11, -6);
  const [throughX, throughY] = apply(updated, x, y);
  const [directX, directY] = apply(map, 11, -6);
  expect(throughX).toBeCloseTo(directX, 9);
  expect(throughY).toBeCloseTo(directY, 9);
});

it('becomes pixels about the middles of both planes', () => {
  const from = { cell: 2, columns: 100, rows: 50 };
  const to = { cell: 4, columns: 50, rows: 40 };
  const [x, y] = applyAffine(toPixels(similarityFrom(90, 1, 2), from, to), 100 + 2 * 3, 50 + 2 * 5);
  expect(x).toBeCloseTo(4 * (25 + 1 - 5), 9);
  expect(y).toBeCloseTo(4 * (20 + 2 + 3), 9);
});
