import { beforeAll, describe, expect, it } from 'vitest';
import { drawProduct, prepared, productSample } from '../../../../test/vision/synthetic-product.ts';
import { tinyBackbone } from '../../../../test/vision/tiny-backbone.ts';
import { createRandom } from '../../math/random.ts';
import { intersectionOverUnion } from '../../math/rectangle.ts';
import type { ModelFile } from '../../model-file/model-file.ts';
import { refineModel } from '../../refining/refine-model.ts';
import type { RefineSample } from '../../refining/refine-sample.ts';
import { trainModel } from '../../training/train-model.ts';
import type { OwnedImage, Random, TrainingSample } from '../../types.ts';
import { defectDetector } from '../catalogue.ts';
import { parseParameterValues } from '../contract/parameter-values.ts';

const SCRATCH = { xMin: 54, yMin: 28, xMax: 86, yMax: 64, label: 1 };
const MARK = { xMin: 12, yMin: 32, xMax: 40, yMax: 66 };
const backbone = tinyBackbone();
const signal = new AbortController().signal;
const random = createRandom(90);

/** A scratch where none of the others lie, not quite as dark: a mark that belongs to the product. */
function marked(): OwnedImage {
  const image = drawProduct(random, false);
  for (let y = 0; y < 96; y++)
    for (let x = 12; x < 40; x++)
      if (Math.abs(x - y + 24) < 4) image.data.fill(30 + 4 * random.normal(), (y * 96 + x) * 3, (y * 96 + x + 1) * 3);
  return image;
}

/** A product with a bright square in the lower left, which nobody has annotated. */
function drawSquare(drawing: Random): OwnedImage {
  const image = drawProduct(drawing, false);
  for (let y = 64; y < 88; y++) image.data.fill(255, (y * 96 + 8) * 3, (y * 96 + 32) * 3);
  return image;
}

const goodSamples = Array.from({ length: 8 }, (_, i) => productSample(`good ${i}`, drawProduct(random, false)));
const scratches = Array.from({ length: 6 }, (_, i) => productSample(`NG ${i}`, drawProduct(random, true), false));
const mark = marked();
/** The same product again, with other noise. */
const again = { ...mark, data: mark.data.map((level) => Math.min(255, Math.max(0, level + 2 * random.normal()))) };
const known = [...goodSamples, ...scratches].map((sample) => ({ ...sample, use: 'known', learned: true }) as const);
const correction = (sample: TrainingSample): RefineSample => ({ ...sample, use: 'correction', learned: false });

describe('defect-detector', () => {
  let model: ModelFile;

  const train = (samples: readonly TrainingSample[]): Promise<ModelFile> => {
    const small = { image_size: '96', bank_size: '200', training_steps: '60' };
    const values = Object.entries(small).map(([name, value]) => ({ name, value }));
    const parsed = parseParameterValues(defectDetector, values);
    if ('issues' in parsed) throw new Error(JSON.stringify(parsed.issues));
    return trainModel({
      ...{ algorithm: defectDetector, params: parsed.values, samples },
      ...{ random: createRandom(1), backbone, signal, report: () => {} },
    });
  };

  beforeAll(async () => {
    model = await train([...goodSamples, ...scratches]);
  });

  const refine = (samples: readonly RefineSample[], threshold = 0.5) => {
    const options = { threshold, ignoreOuter: 'none', minDetectedArea: 0 };
    return refineModel({ model, backbone, samples, options, signal, report: () => {} });
  };
  const find = async ({ payload, params }: ModelFile, images: readonly OwnedImage[]) => {
    const predictor = await defectDetector.open(payload, backbone, params);
    const found = [];
    for (const image of images) {
      const { regions = [] } = await predictor.predict(prepared(image));
      found.push(regions.filter(({ rawScore }) => rawScore >= 1));
    }
    await predictor.dispose();
    return found;
  };

  it('finds a known defect in its place with its class, and an unknown one without', async () => {
    const drawing = createRandom(60);
    const [known = [], unknown = []] = await find(model, [drawProduct(drawing, true), drawSquare(drawing)]);
    expect(model.calibration.rawThreshold).toBe(1);
    expect(known[0]?.label).toBe(1);
    expect(known[0] && intersectionOverUnion(known[0], SCRATCH)).toBeGreaterThan(0.33);
    expect(unknown.map(({ label }) => label)).toContain(undefined);
    expect(unknown[0]?.xMin).toBeLessThan(40);
    expect(unknown[0]?.yMax).toBeGreaterThan(60);
  });

  it('says that it needs a rectangle', async () => {
    const withRegions = (regions: TrainingSample['regions']) => scratches.map((sample) => ({ ...sample, regions }));
    const bare = train([...goodSamples, ...withRegions([])]);
    await expect(bare).rejects.toMatchObject({ code: 'too_few_images' });
    // As a crop leaves them that keeps the left half.
    const cropped = train([...goodSamples, ...withRegions([{ ...SCRATCH, xMin: 100, xMax: 120 }])]);
    await expect(cropped).rejects.toThrow('No rectangle of a defect lies in what');
  });

  it('lets a false alarm of a known class disappear, and no defect with it', async () => {
    const [before = []] = await find(model, [mark]);
    expect(before.map(({ label }) => label)).toContain(1);
    const refined = await refine([correction(productSample('marked', mark)), ...known]);
    expect(await find(refined, [mark, again])).toEqual([[], []]);
    const unseen = Array.from({ length: 4 }, () => drawProduct(random, true));
    for (const regions of await find(refined, unseen)) expect(regions[0]?.label).toBe(1);
    expect(refined.calibration).toEqual(model.calibration);
  });

  it('does not call a defect good that looks the same as a known one', async () => {
    const [first] = scratches;
    if (!first) throw new Error('there are no scratches');
    const twin = { ...first, itemId: 'twin', name: 'twin', good: true, regions: [] };
    await expect(refine([correction(twin), ...known])).rejects.toThrow(/"twin" is good, but .* "NG 0"/);
  });

  it('cannot be refined by a missed defect where unknown ones do not count', async () => {
    const missed = { ...productSample('missed', mark, false), regions: [] };
    await expect(refine([correction(missed), ...known], 0.4)).rejects.toThrow('Set it to 0.5 or higher');
  });

  it('is as sure of a known class as of its likeness to what was missed, and takes the name', async () => {
    const [before = []] = await find(model, [mark]);
    const score = Math.max(...before.map(({ rawScore }) => rawScore));
    const threshold = (score + 0.2) / (score + 1.2);
    const missed = { ...productSample('missed', mark, false), regions: [{ ...MARK, label: 9 }] };
    const [[best] = []] = await find(await refine([correction(missed), ...known], threshold), [mark]);
    expect(best?.label).toBe(9);
    expect(best?.rawScore).toBeCloseTo(2 * (score + 0.2), 3);
    expect(best?.xMax).toBe(before[0]?.xMax);
  });
});
