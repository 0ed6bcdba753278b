import { beforeAll, describe, expect, it } from 'vitest';
import { drawProduct, prepared, productSample } from '../../../test/vision/synthetic-product.ts';
import { tinyBackbone } from '../../../test/vision/tiny-backbone.ts';
import { padim } from '../algorithms/padim/padim.ts';
import { parseParameterValues } from '../algorithms/parameter-values.ts';
import { patchcore } from '../algorithms/patchcore/patchcore.ts';
import { highestScore, inspectMap } from '../heatmaps/inspected-map.ts';
import { NO_MARGINS } from '../inspection/parse-ignore-outer.ts';
import { createRandom } from '../math/random.ts';
import { decodeModel, encodeModel, type ModelFile } from '../model-file.ts';
import { anomalyScore } from '../thresholds/anomaly-score.ts';
import { trainModel } from '../training/train-model.ts';
import type { Algorithm, RgbImage } from '../types.ts';
import type { JudgedSample } from './judged-sample.ts';
import { type RefineInput, refineModel } from './refine-model.ts';

const backbone = tinyBackbone();
const signal = new AbortController().signal;
const products = (seed: number, defect: boolean, count: number): RgbImage[] => {
  const random = createRandom(seed);
  return Array.from({ length: count }, () => drawProduct(random, defect));
};
const training = products(100, false, 12);
const [good, defects] = [products(200, false, 6), products(300, true, 4)];
const known: JudgedSample[] = training.map((image, i) => ({
  ...{ use: 'known' as const, learned: true },
  ...productSample(`good ${i}`, image),
}));
const taught = (name: string, image: RgbImage, isGood: boolean): JudgedSample => ({
  ...{ use: 'teach' as const, learned: false },
  ...productSample(name, image, isGood),
});

function train(algorithm: Algorithm): Promise<ModelFile> {
  const small = [
    { name: 'image_size', value: '96' },
    { name: 'bank_size', value: '150' },
  ].filter(({ name }) => algorithm.parameters.some((one) => one.name === name));
  const parsed = parseParameterValues(algorithm, small);
  if ('issues' in parsed) throw new Error(JSON.stringify(parsed.issues));
  const samples = training.map((image, i) => productSample(`good ${i}`, image));
  const random = createRandom(1);
  return trainModel({ algorithm, samples, params: parsed.values, random, backbone, signal, report: () => {} });
}

/** Anomaly scores, 0.5 at the model's own threshold. */
async function scoresOf(model: ModelFile, images: readonly RgbImage[]): Promise<number[]> {
  const predictor = await patchcore.open(model.payload, backbone, model.params);
  const scores: number[] = [];
  for (const image of images) {
    const { map } = await predictor.predict(prepared(image));
    const raw = highestScore(inspectMap(map, prepared(image), NO_MARGINS));
    scores.push(anomalyScore(raw, model.calibration.rawThreshold));
  }
  await predictor.dispose();
  return scores;
}

describe('refineModel', () => {
  let model: ModelFile;
  /** Above all defects, so that each of them is missed. */
  let blind = 0;

  const refine = (samples: readonly JudgedSample[], threshold: number, changes: Partial<RefineInput> = {}) => {
    const options = { threshold, ignoreOuter: 'none', minDetectedArea: 0 };
    return refineModel({ model, backbone, samples, options, signal, report: () => {}, ...changes });
  };

  beforeAll(async () => {
    model = await train(patchcore);
    blind = Math.max(...(await scoresOf(model, defects))) + 0.02;
    expect(Math.max(...(await scoresOf(model, good)))).toBeLessThan(blind);
  });

  it('finds a missed defect and others of its kind, and calls no good product NG', async () => {
    const [first, ...others] = defects;
    if (!first) throw new Error('there is no defect');
    const refined = await refine([taught('scratched', first, false), ...known], blind);
    const [taughtScore = 0, ...otherScores] = await scoresOf(refined, [first, ...others]);
    expect(taughtScore).toBeGreaterThanOrEqual(blind);
    for (const score of otherScores) expect(score).toBeGreaterThanOrEqual(blind);
    for (const score of await scoresOf(refined, [...good, ...training])) expect(score).toBeLessThan(blind);
    expect(refined.calibration.rawThreshold).toBe(model.calibration.rawThreshold);
    expect(refined.remarks.join(' ')).toContain('Taught 1 missed defect; 12 known images keep their verdicts.');
    expect(decodeModel(encodeModel(refined))).toMatchObject({ algorithmId: 'patchcore' });
  });

  it('clears a false alarm, and what is found stays found', async () => {
    const [first] = good;
    const [score = 0] = await scoresOf(model, good);
    if (!first) throw new Error('there is no product');
    const strict = score - 0.01;
    const found: JudgedSample[] = defects.map((image, i) => ({
      ...taught(`NG ${i}`, image, false),
      use: 'known',
    }));
    const refined = await refine([taught('clean', first, true), ...known, ...found], strict);
    const [after = 1] = await scoresOf(refined, [first]);
    expect(after).toBeLessThan(strict);
    for (const defect of await scoresOf(refined, defects)) expect(defect).toBeGreaterThanOrEqual(strict);
  });

  it('gives the same bytes again, on any number of threads, and can be refined further', async () => {
    const [first, second] = defects;
    if (!first || !second) throw new Error('there are no defects');
    const lesson = [taught('scratched', first, false), ...known];
    const [one, two] = [await refine(lesson, blind), await refine(lesson, blind, { threads: 2 })];
    expect(Buffer.compare(one.payload, two.payload)).toBe(0);
    const clean = taught('clean', good[0] ?? second, true);
    const [before = 0] = await scoresOf(one, good);
    const further = await refine([clean, ...known], before - 0.01, { model: one });
    expect((await scoresOf(further, good))[0]).toBeLessThan(before - 0.01);
  });

  it('says why it cannot be taught', async () => {
    const [first] = defects;
    const [image] = training;
    if (!first || !image) throw new Error('there are no pictures');
    const lesson = [taught('scratched', first, false), ...known];
    await expect(refine(lesson, 0.01)).rejects.toThrow('nothing to learn');
    await expect(refine(lesson, 1)).rejects.toThrow('threshold is 1');
    // The same picture as a known good one.
    const twin = [taught('twin', image, false), ...known.map((one) => ({ ...one, learned: false }))];
    await expect(refine(twin, blind)).rejects.toMatchObject({ code: 'cannot_teach' });
    const options = { threshold: blind, ignoreOuter: 'none', minDetectedArea: 5000 };
    await expect(refine(lesson, blind, { options })).rejects.toThrow('min_detected_area');
    await expect(refine(lesson, blind, { options: { ...options, ignoreOuter: '45%' } })).rejects.toMatchObject({
      code: 'cannot_teach',
    });
    await expect(refine(lesson, blind, { model: { ...model, algorithmId: padim.id } })).rejects.toThrow('patchcore');
    await expect(refine(lesson, blind, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'cancelled' });
  });
});
