import { expect, it } from 'vitest';
import { applyAffine } from '../math/affine.ts';
import { createRandom } from '../math/random.ts';
import type { Affine, RgbImage } from '../types.ts';
import { MID_GREY, warpImage } from './warp-image.ts';

function noise(width: number, height: number): RgbImage {
  const random = createRandom(4);
  return { width, height, data: Uint8Array.from({ length: width * height * 3 }, () => random.integer(256)) };
}

/** One value of the result, written down as the definition has it. */
function slowSample(image: RgbImage, map: Affine, column: number, row: number, channel: number): number {
  const [x, y] = applyAffine(map, column + 0.5, row + 0.5);
  if (x < 0 || y < 0 || x > image.width || y > image.height) return MID_GREY;
  let sum = 0;
  for (let py = -1; py <= image.height; py++) {
    for (let px = -1; px <= image.width; px++) {
      const weight = Math.max(0, 1 - Math.abs(x - px - 0.5)) * Math.max(0, 1 - Math.abs(y - py - 0.5));
      const inX = Math.min(image.width - 1, Math.max(0, px));
      const inY = Math.min(image.height - 1, Math.max(0, py));
      sum += weight * image.data[(inY * image.width + inX) * 3 + channel]!;
    }
  }
  return sum;
}

it('equals the slow definition', () => {
  const image = noise(9, 7);
  const toInput = { a: 0.9, b: -0.4, c: 1.7, d: 0.35, e: 0.8, f: -1.2 };
  const warped = warpImage({ image, toInput, width: 10, height: 8 });
  for (let row = 0; row < 8; row++) {
    for (let column = 0; column < 10; column++) {
      for (let channel = 0; channel < 3; channel++) {
        const value = warped.image.data[(row * 10 + column) * 3 + channel]!;
        expect(Math.abs(value - slowSample(image, toInput, column, row, channel))).toBeLessThanOrEqual(0.5001);
      }
    }
  }
});

it('does not inspect what comes from outside or was not inspected before, and shows the backdrop there', () => {
  const image = noise(4, 4);
  const backdrop = noise(4, 4);
  const inspected = new Uint8Array(16).fill(1);
  inspected[5] = 0;
  const toInput = { a: 1, b: 0, c: 1, d: 0, e: 1, f: 0 };
  const warped = warpImage({ image, inspected, toInput, width: 4, height: 4, backdrop });
  expect([...(warped.inspected ?? [])]).toEqual([1, 1, 1, 0, 0, 1, 1, 0, 1, 1, 1, 0, 1, 1, 1, 0]);
  expect(warped.image.data.subarray(9, 12)).toEqual(backdrop.data.subarray(9, 12));
  expect(warped.image.data.subarray(0, 9)).toEqual(image.data.subarray(3, 12));
});

it('leaves the backdrop as it is, also where it is a Node Buffer', () => {
  const image = noise(4, 4);
  const backdrop = { width: 4, height: 4, data: Buffer.alloc(48, 7) };
  const toInput = { a: 1, b: 0, c: 1, d: 0, e: 1, f: 0 };
  warpImage({ image, inspected: undefined, toInput, width: 4, height: 4, backdrop });
  expect([...backdrop.data]).toEqual(Array(48).fill(7));
});
