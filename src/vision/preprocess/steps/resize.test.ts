import { expect, it } from 'vitest';
import { compileSteps } from '../compile-steps.ts';

const image = { width: 64, height: 32, data: new Uint8Array(64 * 32 * 3).fill(77) };

it.each([
  [{ width: 32 }, 32, 16],
  [{ height: 64 }, 128, 64],
  [{ width: 20, height: 30 }, 20, 30],
])('%j gives %i×%i', async (config, width, height) => {
  const { image: resized, toOriginal } = await (await compileSteps([{ name: 'resize', config }], new Map()))(image);
  expect([resized.width, resized.height]).toEqual([width, height]);
  expect(resized.data.every((level) => level === 77)).toBe(true);
  expect([toOriginal.a * width, toOriginal.e * height]).toEqual([64, 32]);
});

it('refuses to stretch a strip beyond all memory', async () => {
  const strip = { width: 3, height: 1000, data: new Uint8Array(9000) };
  const resizing = (await compileSteps([{ name: 'resize', config: { width: 8192 } }], new Map()))(strip);
  await expect(resizing).rejects.toMatchObject({ code: 'image_too_large' });
  await expect(resizing).rejects.toThrow('resize: the 3×1000 image would become 8192×2730667 pixels');
});

it('carries what is not inspected', async () => {
  const polygons = [
    [
      [0, 0],
      [50, 0],
      [50, 100],
      [0, 100],
    ],
  ];
  const list = [
    { name: 'mask', config: { polygons } },
    { name: 'resize', config: { width: 16 } },
  ];
  const { inspected } = await (await compileSteps(list, new Map()))(image);
  expect([...(inspected ?? []).slice(0, 16)]).toEqual([...Array(8).fill(0), ...Array(8).fill(1)]);
});
