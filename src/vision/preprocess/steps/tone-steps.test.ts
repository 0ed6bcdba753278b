import { describe, expect, it } from 'vitest';
import { createRandom } from '../../math/random.ts';
import type { RgbImage } from '../../types.ts';
import { compileSteps } from '../compile-steps.ts';

async function run(image: RgbImage, name: string, config: Record<string, unknown> = {}): Promise<Uint8Array> {
  return (await (await compileSteps([{ name, config }], new Map()))(image)).image.data;
}

function picture(width: number, height: number, colour: (x: number, y: number) => number[]): RgbImage {
  const data = Uint8Array.from({ length: width * height * 3 }, (_, at) => {
    const pixel = Math.floor(at / 3);
    return Math.round(colour(pixel % width, Math.floor(pixel / width))[at % 3] ?? 0);
  });
  return { width, height, data };
}

const spread = (data: Uint8Array): number => {
  const mean = data.reduce((sum, level) => sum + level, 0) / data.length;
  return Math.sqrt(data.reduce((sum, level) => sum + (level - mean) ** 2, 0) / data.length);
};

describe('grayscale', () => {
  it('weighs the colours as the eye does, or takes one channel', async () => {
    const image = picture(1, 1, () => [200, 100, 50]);
    expect([...(await run(image, 'grayscale'))]).toEqual([124, 124, 124]);
    expect([...(await run(image, 'grayscale', { channel: 'blue' }))]).toEqual([50, 50, 50]);
  });
});

describe('gamma', () => {
  it('brightens above 1, darkens below, keeps black and white', async () => {
    const image = picture(
      3,
      1,
      (x) =>
        [
          [0, 0, 0],
          [64, 64, 64],
          [255, 255, 255],
        ][x] ?? [],
    );
    const bright = await run(image, 'gamma', { gamma: 2 });
    expect([bright[0], bright[3], bright[6]]).toEqual([0, 128, 255]);
    expect((await run(image, 'gamma', { gamma: 0.5 }))[3]).toBe(16);
  });
});

describe('white_balance', () => {
  const cast = picture(20, 20, (x, y) => [180 - x, 120 - x + (y % 2), 90 - x / 2]);

  it('makes the mean grey', async () => {
    const data = await run(cast, 'white_balance');
    const means = [0, 1, 2].map(
      (channel) => data.filter((_, at) => at % 3 === channel).reduce((a, b) => a + b, 0) / 400,
    );
    expect(Math.max(...means) - Math.min(...means)).toBeLessThan(1.5);
  });

  it('makes a card colourless where one is named', async () => {
    const image = picture(20, 20, (x) => (x < 4 ? [200, 150, 100] : [40, 90, 160]));
    const config = { method: 'white_patch', area: { x: 0, y: 0, width: 20, height: 100 } };
    const data = await run(image, 'white_balance', config);
    expect([...data.subarray(0, 3)]).toEqual([150, 150, 150]);
  });
});

describe('equalize', () => {
  it('raises faint contrast in a dark corner more than what is clear already', async () => {
    const image = picture(64, 64, (x, y) => (x < 32 ? Array(3).fill(30 + ((x + y) % 2) * 6) : Array(3).fill(y * 4)));
    const dark = (data: Uint8Array): Uint8Array => data.filter((_, at) => Math.floor(at / 3) % 64 < 24);
    const before = spread(dark(image.data));
    const after = spread(dark(await run(image, 'equalize', { clip_limit: 4, tiles: 4 })));
    expect(after).toBeGreaterThan(before * 1.5);
  });

  it('leaves the difference between colours as it is', async () => {
    const image = picture(32, 32, (x, y) => [100 + (x + y) / 4, 80 + (x + y) / 4, 60 + (x + y) / 4]);
    const data = await run(image, 'equalize');
    const middle = (16 * 32 + 16) * 3;
    expect(data[middle]! - data[middle + 1]!).toBe(20);
  });
});

describe('denoise', () => {
  it('takes single odd pixels away and keeps an edge', async () => {
    const random = createRandom(1);
    const clean = picture(40, 40, (x) => Array(3).fill(x < 20 ? 60 : 180));
    const noisy = { ...clean, data: clean.data.slice() };
    for (let dot = 0; dot < 12; dot++) {
      const at = ((3 + random.integer(34)) * 40 + 2 + dot * 3) * 3;
      noisy.data.fill(255, at, at + 3);
    }
    const data = await run(noisy, 'denoise');
    const wrong = data.reduce((count, level, at) => count + Number(level !== clean.data[at]), 0);
    expect(wrong).toBe(0);
  });
});

describe('sharpen', () => {
  it('steepens an edge, leaves flat parts, and does nothing with amount 0', async () => {
    const image = picture(40, 8, (x) => Array(3).fill(x < 20 ? 80 : 160));
    const data = await run(image, 'sharpen');
    const row = [...data.subarray(4 * 120, 5 * 120)].filter((_, at) => at % 3 === 0);
    expect(row[2]).toBe(80);
    expect(row[19]!).toBeLessThan(70);
    expect(row[20]!).toBeGreaterThan(170);
    expect(await run(image, 'sharpen', { amount: 0 })).toEqual(image.data);
  });
});
