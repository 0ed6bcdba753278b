import { beforeAll, describe, expect, it } from 'vitest';
import { drawProduct, productSample } from '../../../test/vision/synthetic-product.ts';
import { tinyBackbone } from '../../../test/vision/tiny-backbone.ts';
import { findAlgorithm } from '../algorithms/catalogue.ts';
import { parseParameterValues } from '../algorithms/contract/parameter-values.ts';
import { toEnglish } from '../engine-messages.ts';
import { pixelsOf, probeImage } from '../image/decode-image.ts';
import { sharpImage } from '../image/resize-image.ts';
import { createRandom } from '../math/random.ts';
import { decodeModel, encodeModel } from '../model-file/model-file.ts';
import { type TrainedModel, trainModel } from '../training/train-model.ts';
import type { RgbImage } from '../types.ts';
import { type InspectOptions, openInspector, prepareNothing } from './open-inspector.ts';

const backbone = tinyBackbone();
const options: InspectOptions = { threshold: 0.5, ignoreOuter: 'none', minDetectedArea: 0, heatmap: false };
const png = (image: RgbImage): Promise<Buffer> => sharpImage(image).png().toBuffer();

async function train(defects: number): Promise<TrainedModel> {
  const algorithm = findAlgorithm('patchcore');
  if (!algorithm) throw new Error('no patchcore');
  const overrides = { image_size: '96', bank_size: '200' };
  const parsed = parseParameterValues(
    algorithm,
    Object.entries(overrides).map(([name, value]) => ({ name, value })),
  );
  if ('issues' in parsed) throw new Error('wrong parameters');
  const random = createRandom(42);
  const samples = Array.from({ length: 10 }, (_, i) => productSample(`good ${i}`, drawProduct(random, false)));
  for (let i = 0; i < defects; i++) samples.push(productSample(`NG ${i}`, drawProduct(random, true), false));
  return trainModel({
    algorithm,
    samples,
    params: parsed.values,
    random: createRandom(1),
    backbone,
    signal: new AbortController().signal,
    report: () => {},
    preprocessing: { steps: [{ name: 'crop', config: { left: 1 } }], references: { 'a.png': Uint8Array.of(1, 2) } },
  });
}

describe('openInspector', () => {
  let model: TrainedModel;
  let bytes: Uint8Array;
  let defect: Uint8Array;
  let good: Uint8Array;
  beforeAll(async () => {
    model = await train(0);
    bytes = encodeModel(model);
    const random = createRandom(77);
    good = await png(drawProduct(random, false));
    defect = await png(drawProduct(random, true));
  });

  it('keeps no pixels of the images before', async () => {
    const inspector = await openInspector(bytes, backbone, async (file) => prepareNothing(await pixelsOf(file)));
    const large = await sharpImage(drawProduct(createRandom(78), false))
      .resize(1200, 1200)
      .png()
      .toBuffer();
    const inspect = async (): Promise<number> => {
      await inspector.inspect(large, options);
      return process.memoryUsage().external;
    };
    await inspect();
    const before = await inspect();
    let most = 0;
    for (let i = 0; i < 6; i++) most = Math.max(most, await inspect());
    // The pixels of one image are 4.3 MB.
    expect(most - before).toBeLessThan(4e6);
    await inspector.dispose();
  });

  it('tells OK from NG and frames the defect', async () => {
    const inspector = await openInspector(bytes, backbone, prepareNothing, () => performance.now());
    const ok = await inspector.inspect(good, options);
    expect(ok).toMatchObject({ width: 96, height: 96, result: 'OK', label: null, regions: [] });
    expect(ok.anomalyScore).toBeLessThan(0.5);
    expect(ok.heatmap).toBeUndefined();
    // Half of the anomaly map's scale is the threshold.
    expect(Math.max(...ok.anomalyMap.data)).toBeLessThan(128);
    const ng = await inspector.inspect(defect, { ...options, heatmap: true });
    expect(ng.result).toBe('NG');
    expect(ng.anomalyScore).toBeGreaterThan(0.5);
    expect(ng.anomalyScore).toBeCloseTo(ng.rawScore / (ng.rawScore + model.calibration.rawThreshold), 12);
    const [region] = ng.regions;
    // The scratch runs from (56, 32) to (84, 60).
    expect(region?.xMin).toBeLessThan(75);
    expect(region?.xMax).toBeGreaterThan(65);
    expect(region?.anomalyScore).toBe(ng.anomalyScore);
    expect(ng.detectionAccuracy).toBeGreaterThan(50);
    expect(await probeImage(ng.heatmap ?? new Uint8Array())).toEqual({ format: 'jpeg', width: 96, height: 96 });
    expect(ng.anomalyMap).toMatchObject({ width: 96, height: 96 });
    expect(Math.max(...ng.anomalyMap.data)).toBeGreaterThan(127);
    expect(Object.keys(ng.stages ?? {})).toEqual(['decode', 'prepare', 'network', 'regions', 'anomalyMap', 'heatmap']);
    await inspector.dispose();
  });

  it('counts the pixels that the network asks for as decoding', async () => {
    let ticks = 0;
    const inspector = await openInspector(bytes, backbone, prepareNothing, () => ticks++);
    const { stages } = await inspector.inspect(good, options);
    // One tick for the header and one for the pixels; the network has one before and one after them.
    expect(stages).toMatchObject({ decode: 2, prepare: 1, network: 2 });
    await inspector.dispose();
  });

  it('applies threshold, margins and least area to the verdict', async () => {
    const inspector = await openInspector(bytes, backbone);
    const verdict = async (changes: Partial<InspectOptions>, image = defect) =>
      (await inspector.inspect(image, { ...options, ...changes })).result;
    expect(await verdict({ threshold: 1 })).toBe('OK');
    expect(await verdict({ threshold: 0 }, good)).toBe('NG');
    expect(await verdict({ minDetectedArea: 9000 })).toBe('OK');
    const dropped = await inspector.inspect(defect, { ...options, minDetectedArea: 9000 });
    expect(dropped.anomalyScore).toBeLessThan(options.threshold);
    const { anomalyScore } = await inspector.inspect(defect, options);
    expect(await verdict({ threshold: anomalyScore + 0.01 })).toBe('OK');
    expect(await verdict({ threshold: anomalyScore - 0.01 })).toBe('NG');
    // Only the left quarter, away from the scratch and what the network sees of it, is inspected.
    expect(await verdict({ ignoreOuter: '0 72px 0 0' })).toBe('OK');
    await expect(verdict({ threshold: 2 })).rejects.toMatchObject({ code: 'invalid_value' });
    await expect(verdict({ minDetectedArea: -1 })).rejects.toMatchObject({ code: 'invalid_value' });
    await expect(verdict({ ignoreOuter: 'much' })).rejects.toMatchObject({ code: 'invalid_value' });
    await expect(verdict({}, Buffer.from('no image'))).rejects.toMatchObject({ code: 'not_an_image' });
    await inspector.dispose();
  });

  it('passes nothing that it does not look at', async () => {
    const inspector = await openInspector(bytes, backbone);
    for (const ignoreOuter of ['49.9%', '200px', '0 0 96px'])
      await expect(inspector.inspect(defect, { ...options, ignoreOuter })).rejects.toThrow(
        `Nothing of the 96×96 image is inspected: ignore_outer is "${ignoreOuter}".`,
      );
    await inspector.dispose();
    const masked = await openInspector(bytes, backbone, async (image) => ({
      ...(await prepareNothing(image)),
      inspected: new Uint8Array(image.width * image.height),
    }));
    await expect(masked.inspect(defect, options)).rejects.toMatchObject({ code: 'invalid_value' });
    await masked.dispose();
  });

  it('gives the same bytes of score from every session and from a copy of the file', async () => {
    const [first, second] = [await openInspector(bytes, backbone), await openInspector(bytes.slice(), backbone)];
    const score = (await first.inspect(defect, options)).rawScore;
    expect((await second.inspect(defect, { ...options, heatmap: true })).rawScore).toBe(score);
    await first.inspect(good, options);
    expect((await first.inspect(defect, options)).rawScore).toBe(score);
    await first.dispose();
    await second.dispose();
  });

  it('keeps everything in the file, and refuses another network or algorithm', async () => {
    const { outliers, doubtful: _, remarks, statistics, ...file } = model;
    expect(decodeModel(bytes)).toEqual(file);
    expect(outliers).toEqual([]);
    expect(remarks.map(toEnglish)[0]).toMatch('With 10 good items, false alarms can be held to 9.09\u00a0% at best');
    expect(statistics).toMatchObject({ good: 10, defect: 0, escapes: 0, precision: null, recall: null });
    const other = { ...backbone, description: { ...backbone.description, std: [1, 1, 1] as const } };
    await expect(openInspector(bytes, other)).rejects.toMatchObject({ code: 'invalid_model' });
    const unknown = encodeModel({ ...model, algorithmVersion: '99' });
    await expect(openInspector(unknown, backbone)).rejects.toThrow('version 99');
  });

  it('learns the threshold from both kinds where NG images are given', async () => {
    const { calibration, statistics } = await train(4);
    expect(calibration.defectScores).toHaveLength(4);
    expect(Math.min(...calibration.defectScores)).toBeGreaterThanOrEqual(calibration.rawThreshold);
    expect(Math.max(...calibration.goodScores)).toBeLessThan(calibration.rawThreshold);
    expect(statistics).toMatchObject({ accuracy: 1, precision: 1, recall: 1, falseAlarms: 0, escapes: 0 });
  });
});
