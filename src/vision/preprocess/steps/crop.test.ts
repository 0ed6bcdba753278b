import { expect, it } from 'vitest';
import { say } from '../../engine-messages.ts';
import type { PreparedImage } from '../../types.ts';
import { compileSteps } from '../compile-steps.ts';
import { crop } from './geometry.ts';

// A pixel's red is its column, its green its row.
const image = {
  width: 10,
  height: 8,
  data: Uint8Array.from({ length: 240 }, (_, at) => [Math.floor(at / 3) % 10, Math.floor(at / 30), 0][at % 3] ?? 0),
};

async function run(config: Record<string, unknown>): Promise<PreparedImage> {
  return (await compileSteps([{ name: 'crop', config }], new Map()))(image);
}

it('keeps the rectangle and knows where it lay', async () => {
  const { image: cut, toOriginal } = await run({ x: 3, y: 2, width: 4, height: 5, unit: 'pixel' });
  expect([cut.width, cut.height]).toEqual([4, 5]);
  expect([...cut.data.subarray(0, 3)]).toEqual([3, 2, 0]);
  expect([...cut.data.subarray(-3)]).toEqual([6, 6, 0]);
  expect([toOriginal.c, toOriginal.f]).toEqual([3, 2]);
});

it('counts in percent by default, and stops at the edge', async () => {
  const half = await run({ x: 50, y: 50, width: 50, height: 50 });
  expect([half.image.width, half.image.height, half.toOriginal.c]).toEqual([5, 4, 5]);
  const wide = await run({ x: 8, y: 0, width: 500, height: 3, unit: 'pixel' });
  expect([wide.image.width, wide.image.height]).toEqual([2, 3]);
});

it('says what to do where nothing is left, before or at the image', async () => {
  await expect(run({ x: 10, width: 5, height: 5, unit: 'pixel' })).rejects.toThrow(/nothing of the 10×8 image/);
  expect(crop.check({ x: 60, y: 0, width: 50, height: 20, unit: 'percent' })).toEqual([
    { field: 'width', message: say('crop.beyond', { edge: 'x', side: 'width', end: 110, most: 40 }) },
  ]);
});
