import { expect, it } from 'vitest';
import type { PreparedImage } from '../../types.ts';
import { compileSteps } from '../compile-steps.ts';

const image = { width: 4, height: 4, data: new Uint8Array(48).fill(9) };
const LEFT_HALF = [
  [0, 0],
  [50, 0],
  [50, 100],
  [0, 100],
];

async function run(...configs: Record<string, unknown>[]): Promise<PreparedImage> {
  return (
    await compileSteps(
      configs.map((config) => ({ name: 'mask', config })),
      new Map(),
    )
  )(image);
}

it('takes polygons out of the inspection and paints them over', async () => {
  const masked = await run({ polygons: [LEFT_HALF] });
  expect([...(masked.inspected ?? []).slice(0, 4)]).toEqual([0, 0, 1, 1]);
  expect([...masked.image.data.subarray(0, 12)]).toEqual([128, 128, 128, 128, 128, 128, 9, 9, 9, 9, 9, 9]);
  expect(image.data.every((level) => level === 9)).toBe(true);
});

it('can inspect the polygons alone, and adds up', async () => {
  const outside = await run({ polygons: [LEFT_HALF], ignore: 'outside' });
  expect([...(outside.inspected ?? []).slice(0, 4)]).toEqual([1, 1, 0, 0]);
  const pixels = [
    [
      [3, 0],
      [4, 0],
      [4, 4],
      [3, 4],
    ],
  ];
  const both = await run({ polygons: [LEFT_HALF] }, { polygons: pixels, unit: 'pixel' });
  expect([...(both.inspected ?? []).slice(0, 4)]).toEqual([0, 0, 1, 0]);
});
