import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { measureFolder } from '../../bench/accuracy/measured-report.ts';
import { createRandom } from '../../src/vision/math/random.ts';
import { drawProduct } from '../vision/synthetic-product.ts';
import { tinyBackbone } from '../vision/tiny-backbone.ts';

let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'kensa-dirt-'));
  const put = async (path: string, bytes: Uint8Array | string): Promise<void> => {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await writeFile(join(directory, path), bytes);
  };
  const random = createRandom(9);
  const draw = async (path: string, defect: boolean): Promise<void> => {
    const { data, width, height } = drawProduct(random, defect);
    const picture = sharp(data, { raw: { width, height, channels: 3 } });
    await put(path, await picture.png().toBuffer());
  };
  for (let index = 0; index < 20; index++) await draw(`train/good/${index}.png`, false);
  for (let index = 0; index < 5; index++) await draw(`test/good/${index}.png`, false);
  for (let index = 0; index < 4; index++) await draw(`test/scratch/${index}.png`, true);
  const { onnx, description } = tinyBackbone();
  await put('networks/tiny.onnx', onnx);
  await put('networks/tiny.json', JSON.stringify(description));
});
afterAll(() => rm(directory, { recursive: true }));

it('mixes test defects into the training, and counts those that training names', async () => {
  const options = {
    algorithm: 'patchcore',
    param: ['backbone=tiny.onnx', 'image_size=96', 'bank_size=200'],
    backbones: join(directory, 'networks'),
  };
  const measure = (share: number, aside: boolean) => measureFolder(directory, options, { dirt: { share, aside } });
  const dirty = await measure(0.05, false);
  expect(dirty).toMatchObject({ train_images: 21, test_defect: 3, dirt: { mixed_in: 1, named: 1, good_named: 0 } });
  expect(dirty.left_out + dirty.doubtful).toBe(1);
  const clean = await measure(0.05, true);
  expect(clean).toMatchObject({ train_images: 20, test_defect: 3, left_out: 0 });
  expect(clean.dirt).toBeUndefined();
  await expect(measure(0.5, false)).rejects.toThrow('has 4 to test with');
  await expect(measure(0, false)).rejects.toThrow('from 0 to 0.5');
});
