import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { productSample } from '../../../test/vision/synthetic-product.ts';
import type { MapScorer } from '../anomaly-map/map-scorer.ts';
import { chooseInputLayout } from '../backbone/input-layout.ts';
import type { PatchFeatures } from '../backbone/patch-extractor.ts';
import { toEnglish } from '../engine-messages.ts';
import { createRandom } from '../math/random.ts';
import { type MatrixProduct, openMatrixProduct } from '../onnx/open-matrix-product.ts';
import type { RgbImage, TrainingSample } from '../types.ts';
import { scoreDefects } from './calibrate.ts';
import { learnScoredBank } from './learn-bank.ts';
import { learnByFolds, scoreByFolds } from './learn-by-folds.ts';
import { packFeatures, type TrainingPatches } from './training-patches.ts';
import type { RestingExtractor, Training } from './with-training.ts';

/** A slope from black to white. */
const slope = (width: number, height: number): RgbImage => ({
  width,
  height,
  data: Uint8Array.from({ length: 3 * width * height }, (_, at) => (255 * (Math.floor(at / 3) % width)) / width),
});
const image = slope(32, 32);
const flat = (width: number, height: number): RgbImage => ({ width, height, data: new Uint8Array(3 * width * height) });
const featuresOf = (value: number): PatchFeatures => ({
  rows: 1,
  columns: 1,
  patches: { rows: 1, columns: 1, data: Float32Array.of(value) },
});

/** Two images an item; the number of the image is its only feature. */
function patches(values: readonly number[], perItem = 2): TrainingPatches[] {
  return values.map((value, index) => ({
    sample: { ...productSample(`image ${index}`, image), itemId: `item ${Math.floor(index / perItem)}` },
    candidates: featuresOf(value).patches,
    featureMap: packFeatures(featuresOf(value)),
  }));
}

let product: MatrixProduct;
beforeAll(async () => {
  product = await openMatrixProduct();
});
afterAll(() => product.dispose());

const extractor: RestingExtractor = {
  rest: async () => {},
  extract: async () => featuresOf(3),
  dispose: async () => {},
};
const training = (samples: readonly TrainingSample[] = [], dropOutliers = false): Training => ({
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
  layout: chooseInputLayout({ width: 32, height: 32 }, 64, 'off'),
  projection: undefined,
  ...{ extractor, product, smoothing: 0, dropOutliers, falseAlarmRate: 0.01 },
});

/** Scores a patch by its own value. */
const openScorer = async (): Promise<MapScorer> => ({
  score: async ({ patches: { data } }) => ({ rows: 1, columns: 1, data }),
  dispose: async () => {},
});
const options = { candidates: 100, copies: [] };
const learn = (samples: readonly TrainingSample[]) =>
  learnByFolds(training(samples), options, { learn: async () => null, openScorer });

describe('scores that a threshold is calibrated on', () => {
  it('are the highest of each item, as verdicts are', async () => {
    const scores = await scoreByFolds(patches([1, 5, 2, 3, 9, 4]), training(), openScorer);
    expect(scores.sort()).toEqual([3, 5, 9]);
    const defects = patches([1, 1, 1, 1]).map(({ sample }) => ({ ...sample, good: false }));
    expect(await scoreDefects(training(defects), openScorer)).toEqual([3, 3]);
    const unneeded = () => Promise.reject(new Error('A scorer was opened for nothing.'));
    expect(await scoreDefects(training(patches([1, 1]).map(({ sample }) => sample)), unneeded)).toEqual([]);
  });

  it('come from the members of other items where the algorithm has a memory bank, without the outliers', async () => {
    const bank = { size: 100, neighbours: 1, weighted: false, searched: false };
    const images = patches([1, 2, 3, 4, 5, 6, 7, 8, 9, 30], 1);
    const scored = await learnScoredBank(images, bank, training([], true));
    expect(scored.outliers).toEqual([{ name: 'image 9', itemId: images[9]?.sample.itemId }]);
    expect(scored.bank.bank.rows).toBe(9);
    expect(scored.goodScores.length).toBe(9);
    for (const score of scored.goodScores) expect(score).toBeCloseTo(1, 3);
    const all = await learnScoredBank(images, bank, training());
    expect([all.outliers, all.goodScores.length]).toEqual([[], 10]);
  });

  it.each([
    ['too small', flat(1, 1), /less than 16 pixels wide or high/],
    ['too narrow', flat(1000, 20), /more than 32 times as long/],
    ['black', flat(64, 64), /nothing but one colour/],
  ])('cannot come from images that are %s, which is said', async (_, bad, message) => {
    const all = ['a', 'b', 'c'].map((name) => productSample(name, bad));
    await expect(learn(all)).rejects.toMatchObject({ code: 'invalid_value' });
    await expect(learn(all)).rejects.toThrow(message);
    await expect(learn(all.slice(0, 1))).rejects.toThrow(message);
    // One among others is named, and not learned from.
    const others = Array.from({ length: 3 }, (_, index) => productSample(`good ${index}`, image));
    const samples = [...others, ...all.slice(0, 1)];
    const learner = { learn: async (images: readonly TrainingPatches[]) => images.length, openScorer };
    const learned = await learnByFolds(training(samples, true), options, learner);
    expect([learned.outliers.map(({ name }) => name), learned.state]).toEqual([['a'], 3]);
  });

  it('cannot come from copies of one image, which is said', async () => {
    const same = Array.from({ length: 3 }, (_, index) => productSample(`copy ${index}`, image));
    const zero = async (): Promise<MapScorer> => ({
      score: async () => ({ rows: 1, columns: 1, data: new Float32Array(1) }),
      dispose: async () => {},
    });
    const learning = learnByFolds(training(same), options, { learn: async () => null, openScorer: zero });
    await expect(learning).rejects.toThrow(/^All good images look exactly the same to the model/);
  });

  it('cannot come from images that the preprocessing ignores, which is said', async () => {
    const whole = productSample('covered', image);
    const load = async () => ({ ...(await whole.load()), inspected: new Uint8Array(32 * 32) });
    await expect(learn([{ ...whole, load }])).rejects.toThrow(
      /^Nothing of the good images is inspected: .* smaller, or check their unit/,
    );
  });

  it('say by how much too few items are', async () => {
    const samples = Array.from({ length: 12 }, (_, index) => productSample(`good ${index}`, image));
    const { calibration, remarks } = await learn(samples);
    expect(calibration.goodScores).toHaveLength(12);
    expect(remarks.map(toEnglish)).toEqual([
      'With 12 good items, false alarms can be held to 7.69\u00a0% at best; add 87 more to hold them to 1\u00a0%.',
    ]);
  });

  it('say it of the items that the threshold rests on, not of all', async () => {
    // A single item is scored by four shifted copies of itself.
    const { calibration, remarks } = await learn([productSample('one', slope(200, 200))]);
    expect(calibration.goodScores).toHaveLength(4);
    expect(remarks.map(toEnglish)).toEqual([
      'With 1 good item, false alarms can be held to 50\u00a0% at best; add 98 more to hold them to 1\u00a0%.',
    ]);
  });
});
