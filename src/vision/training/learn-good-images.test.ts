import { describe, expect, it } from 'vitest';
import { productSample } from '../../../test/vision/synthetic-product.ts';
import type { PatchFeatures } from '../backbone/patch-extractor.ts';
import { createRandom } from '../math/random.ts';
import type { TrainingSample } from '../types.ts';
import type { TrainingPatches } from './extract-training-patches.ts';
import type { FitInput } from './fit-input.ts';
import { keepGrid } from './kept-grid.ts';
import { defectScoresOf, type GoodLearner, goodScoresOf, learnGoodImages } from './learn-good-images.ts';

const image = { width: 2, height: 2, data: new Uint8Array(12) };
const grid = (value: number): PatchFeatures => ({
  rows: 1,
  columns: 1,
  patches: { rows: 1, columns: 1, data: Float32Array.of(value) },
});

/** Two images an item; the number of the image is its only feature. */
function patches(values: readonly number[]): TrainingPatches[] {
  return values.map((value, index) => ({
    sample: { ...productSample(`image ${index}`, image), itemId: `item ${Math.floor(index / 2)}` },
    candidates: grid(value).patches,
    grid: keepGrid(grid(value)),
  }));
}

const input = (samples: readonly TrainingSample[] = []): FitInput => ({
  samples,
  params: {},
  random: createRandom(1),
  backbone: {
    id: '',
    onnx: new Uint8Array(),
    description: { input: '', outputs: [], mean: [0, 0, 0], std: [1, 1, 1] },
  },
  signal: new AbortController().signal,
  report: () => {},
});

/** Scores a patch by its own value; asked without an item, by ten times as much. */
const extractor = { extract: async () => grid(3), rest: async () => {}, dispose: async () => {} };
const mapOf = ({ patches: { data } }: PatchFeatures, factor: number) => ({
  rows: 1,
  columns: 1,
  data: data.map((value) => value * factor),
});
const learner: GoodLearner<null> = {
  ...{ extractor, candidates: 100, rotations: false, flips: false, dropOutliers: false, smoothing: 0 },
  falseAlarmRate: 0.01,
  learn: async () => null,
  openScorer: async () => ({ score: async (features) => mapOf(features, 1), dispose: async () => {} }),
};

describe('scores that a threshold is calibrated on', () => {
  it('are the highest of each item, as verdicts are', async () => {
    expect((await goodScoresOf(patches([1, 5, 2, 3, 9, 4]), input(), learner)).sort()).toEqual([3, 5, 9]);
    const scorer = await learner.openScorer(null);
    const samples = patches([1, 1, 1, 1]).map(({ sample }) => ({ ...sample, good: false }));
    expect(await defectScoresOf(input(samples), extractor, async () => scorer)).toEqual([3, 3]);
    const unneeded = () => Promise.reject(new Error('A scorer was opened for nothing.'));
    expect(await defectScoresOf(input(patches([1, 1]).map(({ sample }) => sample)), extractor, unneeded)).toEqual([]);
  });

  it('are asked of the whole memory without the item itself, where that can be done', async () => {
    const asked: string[] = [];
    const samples = patches([1, 1, 1, 1]).map(({ sample }) => sample);
    const openLeftOut: NonNullable<typeof learner.openLeftOut> = async () => ({
      async score(features, itemId) {
        asked.push(itemId);
        return mapOf(features, itemId === 'item 1' ? 10 : 20);
      },
      meanDistance: async () => 1,
      dispose: async () => {},
    });
    const { calibration } = await learnGoodImages(input(samples), { ...learner, openLeftOut });
    expect(calibration.goodScores).toEqual([60, 30]);
    expect(asked).toEqual(['item 0', 'item 0', 'item 1', 'item 1']);
    // Copies of one another: nothing remains without the item that is remembered.
    const copies = async () => ({
      score: async () => undefined,
      meanDistance: async () => undefined,
      dispose: async () => {},
    });
    const again = await learnGoodImages(input(samples), { ...learner, openLeftOut: copies });
    expect(again.calibration.goodScores).toEqual([3, 3]);
  });

  it('come without images that look unlike all others, which are named', async () => {
    const samples = Array.from({ length: 12 }, (_, index) => productSample(`good ${index}`, image));
    let learned = 0;
    const odd: GoodLearner<null> = {
      ...learner,
      dropOutliers: true,
      learn: async (images) => {
        learned = images.length;
        return null;
      },
      openLeftOut: async () => ({
        score: async (features, itemId) => mapOf(features, itemId === 'good 4' ? 5 : 1),
        meanDistance: async (_, itemId) => (['good 4', 'good 7'].includes(itemId) ? 1.3 : 1),
        dispose: async () => {},
      }),
    };
    const { leftOut, doubtful, calibration } = await learnGoodImages(input(samples), odd);
    // Strange on the whole, though no place of it is: named, and learned from.
    expect(doubtful).toEqual(['good 7']);
    expect([leftOut, learned, calibration.goodScores]).toEqual([['good 4'], 11, Array<number>(11).fill(3)]);
    expect((await learnGoodImages(input(samples), { ...odd, dropOutliers: false })).leftOut).toEqual([]);
  });

  it('cannot come from a single image of a pixel or two, which is said', async () => {
    const training = learnGoodImages(input([productSample('dot', image)]), learner);
    await expect(training).rejects.toMatchObject({ code: 'too_few_images' });
    await expect(training).rejects.toThrow('The only good image is 2×2 pixels');
  });

  it('cannot come from images that the preprocessing ignores, which is said', async () => {
    const whole = productSample('covered', image);
    const load = async () => ({ ...(await whole.load()), inspected: new Uint8Array(4) });
    const training = learnGoodImages(input([{ ...whole, load }]), learner);
    await expect(training).rejects.toThrow(/^Nothing of the good images is inspected: .* smaller, or check their unit/);
  });

  it('say by how much too few items are', async () => {
    const samples = Array.from({ length: 12 }, (_, index) => productSample(`good ${index}`, image));
    const { calibration, remarks } = await learnGoodImages(input(samples), learner);
    expect(calibration.goodScores).toHaveLength(12);
    expect(remarks).toEqual(['12 good images support a false alarm rate of 8 % at best; add 88 to vouch for 1 %.']);
  });
});
