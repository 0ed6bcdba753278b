import { describe, expect, it } from 'vitest';
import { prepared } from '../../../test/vision/synthetic-product.ts';
import { noCorrections } from '../corrections/correction-patches.ts';
import type { RefinableModel } from '../corrections/refinable-model.ts';
import { pixelsOf } from '../image/decode-image.ts';
import { levelDistances, type RefineSample } from './refine-sample.ts';

const image = { width: 16, height: 16, data: new Uint8Array(16 * 16 * 3) };
const signal = new AbortController().signal;

/** Every cell of the image with this number lies at half of the number. */
function modelOf(canHoldOut: boolean): RefinableModel & { heldOutFlags: boolean[] } {
  const heldOutFlags: boolean[] = [];
  return {
    ...{ smoothing: 0, corrections: noCorrections(1), canHoldOut, heldOutFlags },
    async measure(picture, heldOut) {
      const { data } = await pixelsOf(picture);
      heldOutFlags.push(heldOut);
      const distances = new Float32Array(4).fill((data[0] ?? 0) / 2);
      return { rows: 2, columns: 2, distances, features: { rows: 4, columns: 1, data: distances } };
    },
    encode: () => new Uint8Array(),
    dispose: async () => {},
  };
}

function sample(name: string, level: number, changes: Partial<RefineSample> = {}): RefineSample {
  const load = async () => prepared({ ...image, data: Uint8Array.from(image.data, () => level) });
  return { ...{ itemId: name, name, good: true, regions: [], use: 'known', learned: true }, load, ...changes };
}

const level = async (model: RefinableModel, samples: readonly RefineSample[], goodScores: readonly number[]) =>
  levelDistances(model, samples, {
    ...{ threads: 1, signal },
    calibration: { rawThreshold: 1, goodScores, defectScores: [] },
  });

describe('levelDistances', () => {
  const seen = [8, 10, 12].map((value) => sample(`item ${value}`, value));

  it('brings training images to the level of held-out ones, and leaves others as they are', async () => {
    const model = modelOf(false);
    const unseen = sample('new', 200, { learned: false });
    const defect = sample('NG', 200, { good: false });
    const levelled = await level(model, [...seen, unseen, defect], [6, 7, 9]);
    // Seen scores are 4, 5 and 6.
    const one = { ...image, data: Uint8Array.of(10) };
    const { distances, features } = await levelled.measure(one, true);
    expect([...distances, ...features.data]).toEqual(new Array(8).fill(7));
    expect([...(await levelled.measure(one, false)).distances]).toEqual([5, 5, 5, 5]);
    expect(model.heldOutFlags.slice(0, 3)).toEqual([true, true, true]);
  });

  it('takes the highest of an item with some images', async () => {
    const twice = [...seen, ...seen.map((one) => ({ ...one, load: sample('', 30).load }))];
    const levelled = await level(modelOf(false), twice, [30]);
    expect((await levelled.measure({ ...image, data: Uint8Array.of(10) }, true)).distances[0]).toBe(10);
  });

  it('never brings them nearer, and not far away without scores', async () => {
    const one = { ...image, data: Uint8Array.of(10) };
    const distance = async (samples: readonly RefineSample[], goodScores: readonly number[]) =>
      (await (await level(modelOf(false), samples, goodScores)).measure(one, true)).distances[0];
    expect(await distance(seen, [1])).toBe(5);
    expect(await distance(seen, [1000])).toBe(15);
    expect(await distance([], [7])).toBe(5);
    expect(await distance(seen, [])).toBe(5);
    expect(await distance([sample('black', 0)], [7])).toBe(5);
  });

  it('changes nothing where the model can hold an image out', async () => {
    const model = modelOf(true);
    expect(await level(model, seen, [7])).toBe(model);
    expect(model.heldOutFlags).toEqual([]);
  });
});
