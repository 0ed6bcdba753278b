import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pixelsOf } from '../image/decode-image.ts';
import { IDENTITY } from '../math/affine.ts';
import { createRandom } from '../math/random.ts';
import { type MatrixProduct, openMatrixProduct } from '../onnx/open-matrix-product.ts';
import type { TrainingSample } from '../types.ts';
import { type ExtractionTraining, extractTrainingPatches } from './extract-training-patches.ts';
import type { RestingExtractor } from './with-training.ts';

const PATCHES = 40;
const DIMS = 2;
const MAP_BYTES = PATCHES * DIMS * 2;
const options = { candidates: 1000, copies: [] };
let product: MatrixProduct;
beforeAll(async () => {
  product = await openMatrixProduct();
});
afterAll(() => product.dispose());

const white = { width: 80, height: 50, data: new Uint8Array(12_000).fill(255) };

/** Each patch of sample n has the value n; counts how often each sample was looked at. */
function world(count: number) {
  const looks = new Array<number>(count).fill(0);
  const samples = looks.map(
    (_, index): TrainingSample => ({
      itemId: String(index),
      name: String(index),
      good: true,
      regions: [],
      load: async () => {
        const image = { width: 1, height: 1, data: Uint8Array.of(index, 0, 0) };
        return { image, toOriginal: IDENTITY, originalWidth: 1, originalHeight: 1 };
      },
    }),
  );
  const extractor: RestingExtractor = {
    rest: async () => {},
    async extract(image) {
      const [value = 0] = (await pixelsOf(image)).data;
      looks[value] = (looks[value] ?? 0) + 1;
      const data = new Float32Array(PATCHES * DIMS).fill(value);
      return { rows: 5, columns: 8, patches: { rows: PATCHES, columns: DIMS, data } };
    },
    dispose: async () => {},
  };
  return { samples, extractor, looks };
}

function trainingOf(samples: readonly TrainingSample[], extractor: RestingExtractor): ExtractionTraining {
  const description = { input: '', outputs: [], mean: [0, 0, 0] as const, std: [1, 1, 1] as const };
  return {
    samples,
    params: {},
    random: createRandom(1),
    backbone: { id: '', onnx: new Uint8Array(), description },
    signal: new AbortController().signal,
    report: () => {},
    ...{ extractor, product, smoothing: 0, dropOutliers: false },
  };
}

async function extract(count: number, room: number) {
  const { samples, extractor, looks } = world(count);
  const images = await extractTrainingPatches(
    samples,
    { ...trainingOf(samples, extractor), dropOutliers: true },
    { ...options, featureMapBytes: (room + 1) * MAP_BYTES },
  );
  return { images, looks };
}

describe('extractTrainingPatches', () => {
  it('extracts every image once, in any order, and returns them in the order of the samples', async () => {
    const { images, looks } = await extract(23, 8);
    expect(looks).toEqual(new Array(23).fill(1));
    expect(images.map(({ sample }) => sample.name)).toEqual(looks.map((_, index) => String(index)));
    images.forEach(({ candidates }, index) => {
      expect(new Set(candidates.data)).toEqual(new Set([index]));
    });
  });

  it('keeps as many feature maps as there is room for, drawn from all images, and scores the others by them', async () => {
    const { images } = await extract(23, 8);
    const kept = images.filter(({ featureMap }) => featureMap);
    expect(kept.length).toBe(8);
    expect(kept.some(({ sample }) => Number(sample.name) > 11)).toBe(true);
    const values = kept.map(({ sample }) => Number(sample.name));
    for (const { sample, featureMap, outlierScore } of images) {
      const nearest = Math.min(...values.map((value) => Math.abs(value - Number(sample.name))));
      if (featureMap) expect(outlierScore).toBeUndefined();
      else expect(outlierScore).toBeCloseTo(nearest * Math.sqrt(DIMS), 3);
    }
  });

  it('keeps none of an ignored area’s pixels, and of images without a feature map not even its cells', async () => {
    const { samples, extractor } = world(6);
    const inspected = Uint8Array.from({ length: 4000 }, (_, pixel) => (pixel % 80 < 40 ? 0 : 1));
    const masked = samples.map((sample) => ({
      ...sample,
      load: async () => ({ ...(await sample.load()), image: white, inspected, originalWidth: 80, originalHeight: 50 }),
    }));
    const some = { ...options, candidates: 60, featureMapBytes: 3 * MAP_BYTES };
    const images = await extractTrainingPatches(masked, trainingOf(masked, extractor), some);
    const kept = images.filter(({ featureMap }) => featureMap);
    expect(kept.length).toBe(2);
    for (const { inspection } of kept) expect(inspection?.filter((cell) => cell === 1).length).toBe((PATCHES * 25) / 2);
    for (const image of images) expect(Object.values(image)).not.toContain(inspected);
    for (const { featureMap, inspection } of images) if (!featureMap) expect(inspection).toBeUndefined();
  });

  it.each([
    { floats: 1_500_000, most: 3 },
    { floats: 5_000_000, most: 2 },
  ])('prefetches $most large feature maps of $floats numbers at most', async ({ floats, most }) => {
    let [underWay, highest] = [0, 0];
    const extractor: RestingExtractor = {
      rest: async () => {},
      async extract() {
        highest = Math.max(highest, ++underWay);
        await new Promise((resolve) => setTimeout(resolve, 5));
        underWay--;
        return { rows: 1, columns: 1, patches: { rows: 1, columns: floats, data: new Float32Array(floats) } };
      },
      dispose: async () => {},
    };
    const { samples } = world(8);
    await extractTrainingPatches(samples, trainingOf(samples, extractor), { ...options, featureMapBytes: 1 });
    expect(highest).toBe(most);
  });

  it('keeps all where there is room, and two at least', async () => {
    const keptOf = async (count: number, room: number) =>
      (await extract(count, room)).images.filter(({ featureMap }) => featureMap).length;
    expect(await keptOf(5, 5)).toBe(5);
    expect(await keptOf(5, 0)).toBe(2);
    expect(await keptOf(1, 0)).toBe(1);
  });
});
