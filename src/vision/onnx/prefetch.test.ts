import { describe, expect, it } from 'vitest';
import { prepared } from '../../../test/vision/synthetic-product.ts';
import type { TrainingSample } from '../types.ts';
import { prefetch } from './prefetch.ts';

const image = (width: number) => prepared({ width, height: 1, data: new Uint8Array(3 * width) });

describe('prefetch', () => {
  it('gives the images in order and holds only a few at once', async () => {
    let [loaded, taken] = [0, 0];
    const samples = Array.from(
      { length: 12 },
      (_, index): TrainingSample => ({
        itemId: `${index}`,
        name: `${index}`,
        good: true,
        regions: [],
        load: async () => {
          loaded++;
          return image(index + 1);
        },
      }),
    );
    for await (const { image: got } of prefetch(samples, (sample) => sample.load())) {
      expect(got.width).toBe(++taken);
      expect(loaded - taken).toBeLessThanOrEqual(3);
    }
    expect(taken).toBe(12);
  });

  it('throws what the image itself throws, in its turn', async () => {
    const bad: TrainingSample = {
      itemId: 'b',
      name: 'b',
      good: true,
      regions: [],
      load: () => Promise.reject(new Error('broken file')),
    };
    const good: TrainingSample = { ...bad, load: async () => image(1) };
    let seen = 0;
    const run = async () => {
      for await (const _ of prefetch([good, bad, good], (sample) => sample.load())) seen++;
    };
    await expect(run()).rejects.toThrow('broken file');
    expect(seen).toBe(1);
  });

  it('keeps as many pieces of work under way as it is told to', async () => {
    let [started, ended, most] = [0, 0, 0];
    const work = async (index: number) => {
      started++;
      most = Math.max(most, started - ended);
      await new Promise((resolve) => setTimeout(resolve, 5 - (index % 3)));
      ended++;
      return index;
    };
    const results: number[] = [];
    for await (const result of prefetch(Array(9).keys(), work, 1)) results.push(result);
    expect(results).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
    expect(most).toBe(2);
  });
});
