import { describe, expect, it } from 'vitest';
import type { PatchExtractor } from '../backbone/patch-extractor.ts';
import { pixelsOf } from '../image/decode-image.ts';
import { IDENTITY } from '../math/affine.ts';
import { createRandom } from '../math/random.ts';
import type { TrainingSample } from '../types.ts';
import { type ExtractionOptions, extractTrainingPatches, type TrainingPatches } from './extract-training-patches.ts';

const PATCHES = 40;
const DIMS = 2;
const GRID_BYTES = PATCHES * DIMS * 2;

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
  const extractor: PatchExtractor = {
    async extract(image) {
      const [value = 0] = (await pixelsOf(image)).data;
      looks[value] = (looks[value] ?? 0) + 1;
      const data = new Float32Array(PATCHES * DIMS).fill(value);
      return { rows: 5, columns: 8, patches: { rows: PATCHES, columns: DIMS, data } };
    },
    rest: async () => {},
    dispose: async () => {},
  };
  return { samples, extractor, looks };
}

async function extract(count: number, room: number, seed = 1) {
  const { samples, extractor, looks } = world(count);
  const judged: { name: string; kept: readonly TrainingPatches[] }[] = [];
  const images = await extractTrainingPatches(samples, extractor, {
    candidates: 1000,
    rotations: false,
    flips: false,
    random: createRandom(seed),
    signal: new AbortController().signal,
    report: () => {},
    gridBytes: (room + 1) * GRID_BYTES,
    judge: async ({ sample, features }, kept) => {
      judged.push({ name: sample.name, kept });
      return features.patches.data[0] ?? -1;
    },
  });
  return { images, judged, looks };
}

describe('extractTrainingPatches', () => {
  it('looks at every image once, in whatever order, and answers in the order of the samples', async () => {
    const { images, looks } = await extract(23, 8);
    expect(looks).toEqual(new Array(23).fill(1));
    expect(images.map(({ sample }) => sample.name)).toEqual(looks.map((_, index) => String(index)));
    images.forEach(({ candidates }, index) => {
      expect(new Set(candidates.data)).toEqual(new Set([index]));
    });
  });

  it('keeps as many grids as there is room for, drawn from all images, and has the others judged by them', async () => {
    const { images, judged } = await extract(23, 8);
    const kept = images.filter(({ grid }) => grid);
    expect(kept.length).toBe(8);
    expect(kept.some(({ sample }) => Number(sample.name) > 11)).toBe(true);
    expect(judged.length).toBe(15);
    for (const each of judged) expect(new Set(each.kept)).toEqual(new Set(kept));
    for (const { sample, grid, judged: score } of images) expect(score).toBe(grid ? undefined : Number(sample.name));
  });

  it('keeps none of an ignored area’s pixels, and of images without a grid not even its cells', async () => {
    const { samples, extractor } = world(6);
    const inspected = Uint8Array.from({ length: 4000 }, (_, pixel) => (pixel % 80 < 40 ? 0 : 1));
    const masked = samples.map((sample) => ({
      ...sample,
      load: async () => ({ ...(await sample.load()), image: white, inspected, originalWidth: 80, originalHeight: 50 }),
    }));
    const options = { candidates: 60, rotations: false, flips: false, random: createRandom(1) };
    const images = await extractTrainingPatches(masked, extractor, {
      ...{ ...options, signal: new AbortController().signal, gridBytes: 3 * GRID_BYTES, report: () => {} },
    });
    const kept = images.filter(({ grid }) => grid);
    expect(kept.length).toBe(2);
    for (const { inspection } of kept) expect(inspection?.filter((cell) => cell === 1).length).toBe((PATCHES * 25) / 2);
    for (const image of images) expect(Object.values(image)).not.toContain(inspected);
    for (const { grid, inspection } of images) if (!grid) expect(inspection).toBeUndefined();
  });

  it.each([
    { floats: 1_500_000, most: 3 },
    { floats: 5_000_000, most: 2 },
  ])('has $most large grids of $floats numbers under way at most', async ({ floats, most }) => {
    let [underWay, highest] = [0, 0];
    const extractor: PatchExtractor = {
      async extract() {
        highest = Math.max(highest, ++underWay);
        await new Promise((resolve) => setTimeout(resolve, 5));
        underWay--;
        return { rows: 1, columns: 1, patches: { rows: 1, columns: floats, data: new Float32Array(floats) } };
      },
      rest: async () => {},
      dispose: async () => {},
    };
    const options = { candidates: 10, rotations: false, flips: false, random: createRandom(1), gridBytes: 1 };
    const { signal } = new AbortController();
    await extractTrainingPatches(world(8).samples, extractor, { ...options, signal, report: () => {} });
    expect(highest).toBe(most);
  });

  it('has the first image judged alone and the others two at once, with candidates as if nobody judged', async () => {
    const { samples, extractor } = world(12);
    const options = { candidates: 60, rotations: false, flips: false, gridBytes: 3 * GRID_BYTES };
    const { signal } = new AbortController();
    const extractWith = (judge: ExtractionOptions['judge']) =>
      extractTrainingPatches(samples, extractor, {
        ...{ ...options, signal, random: createRandom(4), report: () => {} },
        ...(judge ? { judge } : {}),
      });
    const underWay: number[] = [];
    let [begun, ended] = [0, 0];
    const images = await extractWith(async ({ sample }) => {
      underWay.push(++begun - ended);
      await new Promise((resolve) => setTimeout(resolve, 10 - (begun % 3)));
      ended++;
      return Number(sample.name);
    });
    expect(underWay.slice(0, 2)).toEqual([1, 1]);
    expect(Math.max(...underWay)).toBe(2);
    for (const { sample, grid, judged } of images) expect(judged).toBe(grid ? undefined : Number(sample.name));
    const unjudged = await extractWith(undefined);
    expect(images.map(({ candidates }) => candidates)).toEqual(unjudged.map(({ candidates }) => candidates));
  });

  it('keeps all where there is room, and two at least', async () => {
    expect((await extract(5, 5)).judged).toEqual([]);
    expect((await extract(5, 0)).images.filter(({ grid }) => grid).length).toBe(2);
    expect((await extract(1, 0)).images[0]?.grid).toBeDefined();
  });
});
