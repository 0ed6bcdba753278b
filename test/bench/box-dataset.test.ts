import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readBoxDataset } from '../../bench/accuracy/box-dataset.ts';
import { measureBoxes } from '../../bench/accuracy/measured-report.ts';
import { createRandom } from '../../src/vision/math/random.ts';
import { drawProduct } from '../vision/synthetic-product.ts';
import { tinyBackbone } from '../vision/tiny-backbone.ts';

describe('datasets of rectangles', () => {
  let directory: string;
  const boxes = (): string => join(directory, 'groupA', 'A_not');

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'kensa-boxes-'));
    const images = join(directory, 'groupA', 'A');
    for (const folder of [images, boxes(), join(directory, 'networks')]) await mkdir(folder, { recursive: true });
    const random = createRandom(12);
    for (let pair = 0; pair < 8; pair++)
      for (const defect of [false, true]) {
        const { data, width, height } = drawProduct(random, defect);
        const jpeg = await sharp(data, { raw: { width, height, channels: 3 } })
          .jpeg({ quality: 95 })
          .toBuffer();
        await writeFile(join(images, `${pair}_${defect ? 'test' : 'temp'}.jpg`), jpeg);
        await writeFile(join(boxes(), `${pair}.txt`), '54 28 86 64 2\n');
      }
    const backbone = tinyBackbone();
    await writeFile(join(directory, 'networks', 'tiny.onnx'), backbone.onnx);
    await writeFile(join(directory, 'networks', 'tiny.json'), JSON.stringify(backbone.description));
  });
  afterAll(() => rm(directory, { recursive: true }));

  it('are split by turns, templates being good', async () => {
    const { train, test } = await readBoxDataset(directory);
    const names = (images: typeof train) => images.map(({ path }) => path.split('/').at(-1));
    expect(names(train).slice(0, 3)).toEqual(['0_temp.jpg', '0_test.jpg', '2_temp.jpg']);
    expect(names(test).slice(0, 2)).toEqual(['1_temp.jpg', '1_test.jpg']);
    expect(train[0]).toMatchObject({ good: true, regions: [] });
    expect(train[1]?.regions).toEqual([{ xMin: 54, yMin: 28, xMax: 86, yMax: 64, label: 2 }]);
  });

  it('give the precision of each class', async () => {
    const report = await measureBoxes(directory, {
      algorithm: 'defect-detector',
      param: ['backbone=tiny.onnx', 'image_size=96', 'bank_size=200', 'training_steps=60'],
      backbones: join(directory, 'networks'),
    });
    expect(report).toMatchObject({ train_images: 8, test_good: 4, test_defect: 4 });
    expect(report.map_iou33).toBeGreaterThan(0.8);
    expect(report.ap_per_class).toEqual({ 2: report.map_iou33 });
  });

  it('refuse other folders and lines, naming them', async () => {
    await expect(readBoxDataset(join(directory, 'networks'))).rejects.toThrow('<name>_not');
    await writeFile(join(boxes(), '3.txt'), '1 2 3\n');
    await expect(readBoxDataset(directory)).rejects.toThrow(/3\.txt line 1 is "1 2 3"/);
  });
});
