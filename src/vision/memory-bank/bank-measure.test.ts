import { describe, expect, it } from 'vitest';
import { createRandom } from '../math/random.ts';
import { openBankMeasure, openBankScorer } from './open-memory-search.ts';

const DIMS = 4;
const random = createRandom(6);
const draw = (rows: number) => ({
  ...{ rows, columns: DIMS },
  data: Float32Array.from({ length: rows * DIMS }, () => random.normal()),
});

describe('openBankMeasure', () => {
  it('scores an image without the members that are its own patches', async () => {
    const [mine, theirs] = [draw(6), draw(9)];
    const bank = { rows: 15, columns: DIMS, data: Float32Array.of(...mine.data, ...theirs.data) };
    const weights = Float32Array.from({ length: 15 }, () => 0.5 + random.next());
    const measure = await openBankMeasure({ bank, weights }, 1);
    const without = await openBankMeasure({ bank: theirs, weights: weights.subarray(6) }, 1);
    const image = { rows: 2, columns: 3, patches: mine };
    const { features, distances } = await measure.measure(image, false);
    expect(features).toBe(mine);
    expect(Math.max(...distances)).toBeLessThan(0.01);
    const unseen = await measure.measure(image, true);
    expect(unseen.distances).toEqual((await without.measure(image, false)).distances);
    const other = { rows: 1, columns: 5, patches: draw(5) };
    expect(await measure.measure(other, true)).toEqual(await measure.measure(other, false));
    await measure.dispose();
    await without.dispose();
  });

  it('keeps a memory of this image alone, for there is nothing else to compare with', async () => {
    const patches = draw(6);
    const measure = await openBankMeasure({ bank: patches }, 1);
    expect(Math.max(...(await measure.measure({ rows: 2, columns: 3, patches }, true)).distances)).toBeLessThan(0.01);
    await measure.dispose();
  });

  it('multiplies the smoothed distances by the factors of the places', async () => {
    const image = { rows: 2, columns: 3, patches: draw(6) };
    const memory = { bank: draw(9) };
    const placeFactors = Float32Array.of(1, 2, 0.5, 1, 0.25, 1);
    const scoring = { neighbours: 1, smoothing: 0.5 };
    const [plain, weighted] = [
      await openBankScorer(memory, scoring),
      await openBankScorer({ ...memory, placeFactors }, scoring),
    ];
    const { data } = await plain.score(image);
    expect((await weighted.score(image)).data).toEqual(data.map((value, cell) => value * placeFactors[cell]!));
    await expect(weighted.score({ rows: 1, columns: 5, patches: draw(5) })).rejects.toMatchObject({
      code: 'invalid_model',
    });
    await plain.dispose();
    await weighted.dispose();
  });
});
