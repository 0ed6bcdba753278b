import { beforeAll, describe, expect, it } from 'vitest';
import { drawProduct, prepared, productSample } from '../../../test/vision/synthetic-product.ts';
import { tinyBackbone } from '../../../test/vision/tiny-backbone.ts';
import { type Algorithm, algorithms, patchcore } from '../algorithms/catalogue.ts';
import { parseParameterValues } from '../algorithms/contract/parameter-values.ts';
import { highestScore, inspectMap, NO_MARGINS } from '../anomaly-map/inspected-map.ts';
import { toEnglish } from '../engine-messages.ts';
import { createRandom } from '../math/random.ts';
import { decodeModel, encodeModel, type ModelFile } from '../model-file/model-file.ts';
import { anomalyScore } from '../training/thresholds.ts';
import { trainModel } from '../training/train-model.ts';
import type { OwnedImage, TrainingSample } from '../types.ts';
import { type RefinedModel, type RefineInput, refineModel } from './refine-model.ts';
import type { RefineSample } from './refine-sample.ts';

const backbone = tinyBackbone();
const signal = new AbortController().signal;
const products = (seed: number, defect: boolean, count: number): OwnedImage[] => {
  const random = createRandom(seed);
  return Array.from({ length: count }, () => drawProduct(random, defect));
};
const BLOT = { xMin: 16, yMin: 60, xMax: 36, yMax: 80, label: 7 };

/** With a grey square in the lower left: a class that supervised models know, as the scratch is one that they don't. */
function blotted(image: OwnedImage): OwnedImage {
  for (let y = BLOT.yMin; y < BLOT.yMax; y++) image.data.fill(170, (y * 96 + BLOT.xMin) * 3, (y * 96 + BLOT.xMax) * 3);
  return image;
}

const [training, good] = [products(100, false, 12), products(200, false, 6)];
const [scratches, blots] = [products(300, true, 4), products(400, false, 4).map(blotted)];
const goodSamples = training.map((image, i) => productSample(`good ${i}`, image));
const blotSamples = blots.map((image, i) => ({ ...productSample(`blot ${i}`, image, false), regions: [BLOT] }));
const asKnown = (sample: TrainingSample): RefineSample => ({ ...sample, use: 'known', learned: true });
const correction = (name: string, image: OwnedImage | undefined, isGood: boolean): RefineSample => {
  if (!image) throw new Error(`there is no picture of ${name}`);
  return { ...productSample(name, image, isGood), use: 'correction', learned: false };
};

function train(algorithm: Algorithm): Promise<ModelFile> {
  const small = Object.entries({ image_size: '96', bank_size: '150', training_steps: '12' })
    .map(([name, value]) => ({ name, value }))
    .filter(({ name }) => algorithm.parameters.some((one) => one.name === name));
  const parsed = parseParameterValues(algorithm, small);
  if ('issues' in parsed) throw new Error(JSON.stringify(parsed.issues));
  const samples = algorithm.attribute === 'supervised' ? [...goodSamples, ...blotSamples] : goodSamples;
  const random = createRandom(1);
  return trainModel({ algorithm, samples, params: parsed.values, random, backbone, signal, report: () => {} });
}

const known = goodSamples.map(asKnown);

describe.each(algorithms.map((algorithm) => [algorithm.id, algorithm] as const))('refining %s', (_, algorithm) => {
  let model: ModelFile;
  /** By the first scratch, on one thread. */
  let refined: RefinedModel;
  /** Above all scratches, so that each of them is missed. */
  let blind = 0;

  const predict = async (file: ModelFile, images: readonly OwnedImage[]) => {
    const predictor = await algorithm.open(file.payload, backbone, file.params);
    const found: { score: number; label: number | undefined }[] = [];
    for (const image of images) {
      const { map, label, regions = [] } = await predictor.predict(prepared(image));
      const raw = highestScore(inspectMap(map, prepared(image), NO_MARGINS));
      found.push({ score: anomalyScore(raw, file.calibration.rawThreshold), label: label ?? regions[0]?.label });
    }
    await predictor.dispose();
    return found;
  };
  /** Anomaly scores, 0.5 at the model's own threshold. */
  const scoresOf = async (file: ModelFile, images: readonly OwnedImage[]): Promise<number[]> =>
    (await predict(file, images)).map(({ score }) => score);
  const refine = (samples: readonly RefineSample[], threshold: number, changes: Partial<RefineInput> = {}) => {
    const options = { threshold, ignoreOuter: 'none', minDetectedArea: 0 };
    return refineModel({ model, backbone, samples, options, signal, report: () => {}, ...changes });
  };
  const scratched = (): RefineSample[] => [correction('scratched', scratches[0], false), ...known];

  beforeAll(async () => {
    model = await train(algorithm);
    blind = Math.max(...(await scoresOf(model, scratches))) + 0.02;
    expect(Math.max(...(await scoresOf(model, good)))).toBeLessThan(blind);
    refined = await refine(scratched(), blind);
  });

  it('finds a missed defect, names it where it names any, and calls no good product NG', async () => {
    const [found] = await predict(refined, scratches);
    expect(found?.score).toBeGreaterThanOrEqual(blind);
    if (algorithm.type !== 'anomaly_detection') expect(found?.label).toBe(1);
    for (const score of await scoresOf(refined, [...good, ...training])) expect(score).toBeLessThan(blind);
    expect(refined.calibration.rawThreshold).toBe(model.calibration.rawThreshold);
    expect(refined.remarks.map(toEnglish).join(' ')).toContain(
      'Corrected 1 missed defect; no new error on 12 known images.',
    );
    const copy = decodeModel(encodeModel(refined));
    expect(copy).toMatchObject({ algorithmId: algorithm.id, algorithmVersion: algorithm.version });
    const all = [...scratches, ...good];
    expect(await scoresOf(copy, all)).toEqual(await scoresOf(refined, all));
  });

  it('finds others of its kind', async () => {
    const others = scratches.slice(1);
    for (const score of await scoresOf(refined, others)) expect(score).toBeGreaterThanOrEqual(blind);
  });

  it('clears a false alarm, and what is found stays found', async () => {
    const [score = 0] = await scoresOf(model, good);
    const strict = score - 0.01;
    const found = scratches.map((image, i): RefineSample => ({ ...correction(`NG ${i}`, image, false), use: 'known' }));
    const cleared = await refine([correction('clean', good[0], true), ...known, ...found], strict);
    const [after = 1] = await scoresOf(cleared, good);
    expect(after).toBeLessThan(strict);
    for (const defect of await scoresOf(cleared, scratches)) expect(defect).toBeGreaterThanOrEqual(strict);
  });

  it('gives the same bytes again, on any number of threads', async () => {
    const again = await refine(scratched(), blind, { threads: 2 });
    expect(Buffer.compare(again.payload, refined.payload)).toBe(0);
    expect(again.calibration).toEqual(refined.calibration);
  });

  it('can be refined again, and keeps its earlier corrections', async () => {
    const blot = correction('blotted', blots[0], false);
    const second = { ...blot, regions: [BLOT] };
    const [blotScore = 1] = await scoresOf(refined, blots);
    const threshold = Math.max(blind, blotScore + 0.02);
    const further = await refine([second, ...known], threshold, { model: refined });
    const [scratch = 0, blotAgain = 0] = await scoresOf(
      further,
      [scratches[0], blots[0]].flatMap((one) => one ?? []),
    );
    expect(scratch).toBeGreaterThanOrEqual(blind);
    expect(blotAgain).toBeGreaterThanOrEqual(threshold);
    const [clean = 0] = await scoresOf(further, good);
    const strict = clean - 0.01;
    const last = await refine([correction('clean', good[0], true), ...known], strict, { model: further });
    expect((await scoresOf(last, good))[0]).toBeLessThan(strict);
    expect((await scoresOf(last, scratches))[0]).toBeGreaterThanOrEqual(blind);
  });

  it('has the bytes of its training without corrections', async () => {
    const parts = await algorithm.openRefinable(model.payload, backbone);
    const encoded = parts.encode(parts.corrections);
    await parts.dispose();
    expect(Buffer.compare(encoded, model.payload)).toBe(0);
  });

  it('says why it cannot be refined, and by which item', async () => {
    await expect(refine(scratched(), 0.5)).rejects.toThrow('nothing to learn');
    await expect(refine(scratched(), 1)).rejects.toThrow('threshold is 1');
    // The same picture as a known good one.
    const twin = [correction('twin', training[3], false), ...known.map((one) => ({ ...one, learned: false }))];
    await expect(refine(twin, blind)).rejects.toThrow(/"twin".* "good 3"/);
    const options = { threshold: blind, ignoreOuter: 'none', minDetectedArea: 5000 };
    await expect(refine(scratched(), blind, { options })).rejects.toThrow(/"scratched".* min_detected_area/);
    const outside = refine(scratched(), blind, { options: { ...options, minDetectedArea: 0, ignoreOuter: '45%' } });
    await expect(outside).rejects.toThrow(/"scratched" lies where nothing is inspected/);
    const aborted = refine(scratched(), blind, { signal: AbortSignal.abort() });
    await expect(aborted).rejects.toMatchObject({ code: 'cancelled' });
  });
});

it('refuses a correction by which a known defect would pass', async () => {
  const model = await train(patchcore);
  const alarm = correction('alarm', scratches[0], true);
  const found = { ...correction('found', scratches[1], false), use: 'known' } as const;
  const options = { threshold: 0.5, ignoreOuter: 'none', minDetectedArea: 0 };
  const refining = refineModel({
    model,
    backbone,
    samples: [alarm, found, ...known],
    options,
    signal,
    report: () => {},
  });
  const detail = { code: 'refine.defect-would-pass', values: { name: 'found' } };
  await expect(refining).rejects.toMatchObject({ code: 'cannot_teach', detail });
});

it('refuses an unknown algorithm', async () => {
  const model = { ...(await train(patchcore)), algorithmId: 'retired' };
  const options = { threshold: 0.5, ignoreOuter: 'none', minDetectedArea: 0 };
  const refining = refineModel({ model, backbone, samples: known, options, signal, report: () => {} });
  await expect(refining).rejects.toThrow('no algorithm retired');
});
