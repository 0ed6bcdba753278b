import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { drawProduct } from '../../test/vision/synthetic-product.ts';
import { tinyBackbone } from '../../test/vision/tiny-backbone.ts';
import { createRandom } from '../vision/math/random.ts';
import { readDatasetFolder, readMask } from './dataset-folder.ts';
import { type EvaluateOptions, evaluateDataset } from './evaluate-dataset.ts';
import { labelDefects } from './label-defects.ts';

const PARAMS = ['backbone=tiny.onnx', 'image_size=96', 'bank_size=200'];

/** White where `drawProduct` draws its scratch. */
function scratchMask(): Promise<Buffer> {
  const data = Uint8Array.from({ length: 96 * 96 }, (_, pixel) => {
    const [x, y] = [pixel % 96, Math.floor(pixel / 96)];
    return Math.abs(x - y - 24) < 4 && x > 56 && x < 84 ? 255 : 0;
  });
  return sharp(data, { raw: { width: 96, height: 96, channels: 1 } })
    .png()
    .toBuffer();
}

describe('evaluate', () => {
  let directory: string;
  let options: EvaluateOptions;

  const evaluate = async (changes: Partial<EvaluateOptions> = {}, trainLimit?: number) =>
    (await evaluateDataset(await readDatasetFolder(directory, trainLimit), { ...options, ...changes })).report;

  async function put(path: string, bytes: Uint8Array): Promise<void> {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await writeFile(join(directory, path), bytes);
  }

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'kensa-evaluate-'));
    const random = createRandom(9);
    const product = async (path: string, defect: boolean): Promise<void> => {
      const { data, width, height } = drawProduct(random, defect);
      const png = sharp(data, { raw: { width, height, channels: 3 } }).png();
      await put(path, await png.toBuffer());
    };
    for (let i = 0; i < 10; i++) await product(`train/good/${i}.png`, false);
    for (let i = 0; i < 5; i++) await product(`test/good/${i}.png`, false);
    for (let i = 0; i < 4; i++) await product(`test/scratch/${i}.png`, true);
    for (let i = 0; i < 3; i++) await put(`ground_truth/scratch/${i}_mask.png`, await scratchMask());
    await put('test/scratch/notes.txt', Buffer.from('not an image'));
    const backbone = tinyBackbone();
    await put('networks/tiny.onnx', backbone.onnx);
    await put('networks/tiny.json', Buffer.from(JSON.stringify(backbone.description)));
    options = { algorithm: 'patchcore', param: PARAMS, backbones: join(directory, 'networks') };
  });
  afterAll(() => rm(directory, { recursive: true }));

  it('reads the layout, with the masks that there are', async () => {
    const { train, test } = await readDatasetFolder(directory);
    expect(train).toHaveLength(10);
    expect(test.map(({ kind, good, maskPath }) => [kind, good, maskPath !== undefined])).toEqual([
      ...Array.from({ length: 5 }, () => ['good', true, false]),
      ...Array.from({ length: 3 }, () => ['scratch', false, true]),
      ['scratch', false, false],
    ]);
    await expect(readDatasetFolder(join(directory, 'test'))).rejects.toThrow('train/good');
  });

  it('counts drawn pixels of masks in any colour, not transparent ones', async () => {
    const rgba = Uint8Array.of(35, 164, 54, 255, 35, 164, 54, 0, 0, 0, 0, 255, 255, 255, 255, 255);
    await put(
      'mask.png',
      await sharp(rgba, { raw: { width: 4, height: 1, channels: 4 } })
        .png()
        .toBuffer(),
    );
    expect([...(await readMask(join(directory, 'mask.png'))).mask]).toEqual([1, 0, 0, 1]);
  });

  it('measures every figure', async () => {
    const texts: string[] = [];
    const report = await evaluate({ report: (text) => texts.push(text) });
    expect(report).toMatchObject({
      algorithm: 'patchcore',
      train_images: 10,
      test_good: 5,
      test_defect: 4,
      image_auroc: 1,
      image_ap: 1,
      f1_max: 1,
      at_threshold: { escapes: 0 },
    });
    // Ten images vouch for nine per cent at best.
    expect(report.at_threshold.false_alarms).toBeLessThanOrEqual(1);
    expect(report.pixel_auroc).toBeGreaterThan(0.9);
    expect(report.pixel_pro).toBeGreaterThan(0.6);
    for (const figure of [report.train_seconds, report.ms_per_image.p50, report.peak_rss_mb, report.model_mb])
      expect(figure).toBeGreaterThan(0);
    expect(report.ms_per_image.p95).toBeGreaterThanOrEqual(report.ms_per_image.p50);
    expect(texts).toContain('inspecting 9/9');
  });

  it('limits the training images, and says what is wrong with algorithm and parameters', async () => {
    expect((await evaluate({}, 3)).train_images).toBe(3);
    await expect(evaluate({ algorithm: 'magic' })).rejects.toThrow('there are patchcore, padim');
    await expect(evaluate({ param: ['bank_size=-1'] })).rejects.toThrow('from 0 to 20000');
    await expect(evaluate({ param: ['backbone=../tiny.onnx'] })).rejects.toThrow('not known');
  });

  it('offers every network that comes with the product', async () => {
    const [, ...others] = PARAMS;
    const report = await evaluate({ param: ['backbone=kensa-int8', ...others] }, 2);
    expect(report).toMatchObject({ params: { backbone: 'kensa-int8' }, test_defect: 4 });
    const { params: used } = await evaluate({ param: others }, 1);
    expect(used['backbone']).toMatch(/^kensa(-int8)?$/);
  });

  it('learns from labelled defects of the test on request, their rectangles drawn around the masks', async () => {
    const folder = await readDatasetFolder(directory);
    const { train, test, kinds } = await labelDefects({ ...folder, train: [] }, { count: 3, seed: 0 });
    expect(kinds).toEqual(['scratch']);
    expect(test.filter(({ good }) => !good)).toHaveLength(1);
    const masked = train.filter(({ path }) => !path.endsWith('3.png'));
    for (const { good, regions } of masked)
      expect({ good, regions }).toEqual({
        good: false,
        regions: [{ xMin: 57, yMin: 30, xMax: 84, yMax: 63, label: 1 }],
      });
    expect(masked.length).toBeGreaterThan(1);
    await expect(labelDefects(folder, { count: 4, seed: 0 })).rejects.toThrow('leave at least one');

    const half = await labelDefects(folder, { count: 0.5, seed: 0 });
    const { report } = await evaluateDataset(half, { ...options, algorithm: 'defect-classifier' });
    expect(report).toMatchObject({ train_images: 12, test_defect: 2, labelled: { defects: 2, right_class: 1 } });
  });
});
