import { existsSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Algorithm, algorithms } from '../../src/vision/algorithms/catalogue.ts';
import { parseParameterValues } from '../../src/vision/algorithms/contract/parameter-values.ts';
import { toEnglish } from '../../src/vision/engine-messages.ts';
import { imageAuroc } from '../../src/vision/evaluation/ranking-metrics.ts';
import { createRandom } from '../../src/vision/math/random.ts';
import type { FitInput, FitResult } from '../../src/vision/training/fit-input.ts';
import type { RgbImage, TrainingSample } from '../../src/vision/types.ts';
import { VisionError } from '../../src/vision/vision-error.ts';
import { drawProduct, prepared, productSample } from './synthetic-product.ts';
import { tinyBackbone } from './tiny-backbone.ts';

const backbone = tinyBackbone();
const tiny: RgbImage = { width: 8, height: 8, data: new Uint8Array(192).fill(100) };

function trainingSet(algorithm: Algorithm, good = 16): TrainingSample[] {
  const random = createRandom(100);
  const items = Array.from({ length: good }, (_, i) => productSample(`good ${i}`, drawProduct(random, false)));
  const defects = algorithm.attribute === 'supervised' ? 6 : 0;
  for (let i = 0; i < defects; i++) items.push(productSample(`NG ${i}`, drawProduct(random, true), false));
  return items;
}

function parametersOf(algorithm: Algorithm) {
  const small = { image_size: '96', bank_size: '200', training_steps: '12' };
  const overrides = Object.entries(small)
    .filter(([name]) => algorithm.parameters.some((parameter) => parameter.name === name))
    .map(([name, value]) => ({ name, value }));
  const parsed = parseParameterValues(algorithm, overrides);
  if ('issues' in parsed) throw new Error(JSON.stringify(parsed.issues));
  return parsed.values;
}

function train(algorithm: Algorithm, changes: Partial<FitInput> = {}): Promise<FitResult> {
  return algorithm.fit({
    samples: trainingSet(algorithm),
    params: parametersOf(algorithm),
    random: createRandom(1),
    backbone,
    signal: new AbortController().signal,
    report: () => {},
    ...changes,
  });
}

async function scores(algorithm: Algorithm, payload: Uint8Array, defect: boolean, count: number): Promise<number[]> {
  const random = createRandom(defect ? 300 : 200);
  const predictor = await algorithm.open(payload, backbone, parametersOf(algorithm));
  const found: number[] = [];
  for (let i = 0; i < count; i++) {
    const { map } = await predictor.predict(prepared(drawProduct(random, defect)));
    found.push(Math.max(...map.data));
  }
  await predictor.dispose();
  return found;
}

describe('parameters of all algorithms', () => {
  it('have ids and names of their own, in the range of their algorithm, and defaults that are allowed', () => {
    const ids = algorithms.flatMap((algorithm) => algorithm.parameters.map((parameter) => parameter.id));
    expect(new Set(ids).size).toBe(ids.length);
    for (const algorithm of algorithms) {
      const names = algorithm.parameters.map((parameter) => parameter.name);
      expect(new Set(names).size).toBe(names.length);
      const overrides = algorithm.parameters.map(({ name, defaultValue: value }) => ({ name, value }));
      expect(parseParameterValues(algorithm, overrides)).toEqual(parseParameterValues(algorithm, []));
      expect(new Set(algorithm.parameters.map(({ id }) => Math.floor(id / 100))).size).toBe(1);
    }
  });
});

describe.each(algorithms.map((algorithm) => [algorithm.id, algorithm] as const))('%s', (id, algorithm) => {
  const fractions: number[] = [];
  let trained: FitResult;

  beforeAll(async () => {
    const report: FitInput['report'] = ({ fraction }) => fractions.push(fraction);
    trained = await train(algorithm, { report });
  });

  it('gives the same bytes and calibration for the same seed, on one thread and on three', async () => {
    const again = await train(algorithm, { threads: 3 });
    expect(Buffer.compare(again.payload, trained.payload)).toBe(0);
    expect(again.calibration).toEqual(trained.calibration);
  });

  it('separates a synthetic defect, by the order of scores and by its own threshold', async () => {
    const { payload, calibration } = trained;
    const [good, defect] = [await scores(algorithm, payload, false, 8), await scores(algorithm, payload, true, 8)];
    expect(imageAuroc({ good, defect })).toBeGreaterThan(0.98);
    expect(defect.filter((score) => score >= calibration.rawThreshold).length).toBeGreaterThanOrEqual(7);
    expect(good.filter((score) => score >= calibration.rawThreshold).length).toBeLessThanOrEqual(1);
  });

  it('opens what it encoded as often as wanted with the same scores, and nothing else', async () => {
    const { payload } = trained;
    const copy = Uint8Array.from(payload);
    expect(await scores(algorithm, payload, true, 3)).toEqual(await scores(algorithm, copy, true, 3));
    const broken = Uint8Array.from(payload);
    broken[broken.length - 5] = (broken[broken.length - 5] ?? 0) ^ 255;
    for (const bytes of [broken, payload.subarray(0, 40), new Uint8Array()])
      await expect(algorithm.open(bytes, backbone, parametersOf(algorithm))).rejects.toThrow(VisionError);
  });

  it('reports progress that only grows, from 0 to 1', () => {
    expect(fractions).toEqual([...fractions].sort((a, b) => a - b));
    expect(fractions[0]).toBeGreaterThanOrEqual(0);
    expect(fractions.at(-1)).toBeLessThanOrEqual(1);
    expect(fractions.length).toBeGreaterThan(5);
  });

  it('stops when cancelled, before and in the middle', async () => {
    const cancelled = { code: 'cancelled' };
    await expect(train(algorithm, { signal: AbortSignal.abort() })).rejects.toMatchObject(cancelled);
    const controller = new AbortController();
    let loaded = 0;
    const samples = trainingSet(algorithm).map((sample) => ({
      ...sample,
      load: () => {
        if (++loaded === 18) controller.abort();
        return sample.load();
      },
    }));
    await expect(train(algorithm, { samples, signal: controller.signal })).rejects.toMatchObject(cancelled);
  });

  it('scores an image alike from a pooled Buffer, in any order, and after a thousand others, and leaves it alone', async () => {
    // In one orientation the network of the detector takes an eighth of its time.
    const switches = { rotations: false, flips: false };
    const params = { ...parametersOf(algorithm), ...(algorithm.type === 'object_detection' && switches) };
    const { payload } = await train(algorithm, { params });
    const predictor = await algorithm.open(payload, backbone, parametersOf(algorithm));
    const random = createRandom(400);
    const images = [false, true, false].map((defect) => drawProduct(random, defect));
    const pool = Buffer.alloc(4 * images[0]!.data.length, 0xa5);
    const pooled = images.map(({ width, height, data }, index) => {
      const start = index * data.length + 7;
      pool.set(data, start);
      return { width, height, data: pool.subarray(start, start + data.length) };
    });
    const before = Buffer.from(pool);
    const maps = async (given: readonly RgbImage[]): Promise<Float32Array[]> => {
      const found: Float32Array[] = [];
      for (const image of given) found.push((await predictor.predict(prepared(image))).map.data);
      return found;
    };
    const first = await maps(images);
    const kept = structuredClone(first);
    expect(await maps(pooled)).toEqual(kept);
    expect((await maps(pooled.toReversed())).toReversed()).toEqual(kept);
    for (let index = 0; index < 1000; index++)
      await predictor.predict(prepared({ ...tiny, data: tiny.data.map((level) => level ^ (index & 255)) }));
    expect(await maps(pooled)).toEqual(kept);
    expect(first).toEqual(kept);
    expect(pool.equals(before)).toBe(true);
    await predictor.dispose();
  });

  it('learns from few images, or says that it needs more', async () => {
    if (algorithm.attribute === 'supervised') return;
    for (const good of [1, 2, 3]) {
      const { payload, calibration, remarks } = await train(algorithm, { samples: trainingSet(algorithm, good) });
      expect(calibration.rawThreshold).toBeGreaterThan(0);
      expect(remarks.map(toEnglish).join(' ')).toMatch(/at best; add/);
      const [defect] = await scores(algorithm, payload, true, 1);
      expect(Number.isFinite(defect)).toBe(true);
    }
    await expect(train(algorithm, { samples: [] })).rejects.toMatchObject({ code: 'too_few_images' });
  });

  it('takes images that differ in size', async () => {
    const wide = drawProduct(createRandom(5), false);
    const half = { width: 96, height: 48, data: wide.data.slice(0, 96 * 48 * 3) };
    const samples = [...trainingSet(algorithm, 6), productSample('half', half)];
    const { payload } = await train(algorithm, { samples });
    const predictor = await algorithm.open(payload, backbone, parametersOf(algorithm));
    const { map } = await predictor.predict(prepared(half));
    expect(map.data.every(Number.isFinite)).toBe(true);
    await predictor.dispose();
  });

  it('has a README with what it is for, its paper, its shapes and a table', () => {
    const file = new URL(`../../src/vision/algorithms/${id}/README.md`, import.meta.url);
    expect(existsSync(file)).toBe(true);
    const text = readFileSync(file, 'utf8');
    for (const part of [/## When to choose it/, /## How it works/, /\d{4}/, /\[patches, /, /\| *bottle/])
      expect(text).toMatch(part);
  });
});
