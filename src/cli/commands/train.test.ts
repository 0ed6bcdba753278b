import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { runKensa } from '../../../test/support/spawn-service.ts';
import { drawProduct } from '../../../test/vision/synthetic-product.ts';
import { tinyBackbone } from '../../../test/vision/tiny-backbone.ts';
import { createRandom } from '../../vision/math/random.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kensa-train-'));
});
afterEach(() => rm(folder, { recursive: true }));

it('counts copies of a photo once, whatever their names, and says so', async () => {
  for (const part of ['photos', 'networks']) await mkdir(join(folder, part));
  const { onnx, description } = tinyBackbone();
  await writeFile(join(folder, 'networks', 'tiny.onnx'), onnx);
  await writeFile(join(folder, 'networks', 'tiny.json'), JSON.stringify(description));
  const random = createRandom(9);
  for (let index = 0; index < 6; index++) {
    const { data, width, height } = drawProduct(random, false);
    const png = sharp(data, { raw: { width, height, channels: 3 } }).png();
    await png.toFile(join(folder, 'photos', `${index}.png`));
  }
  for (const index of [0, 3]) {
    await copyFile(join(folder, 'photos', `${index}.png`), join(folder, 'photos', `copy of ${index}.png`));
  }
  const params = ['backbone=tiny.onnx', 'image_size=96', 'bank_size=200'].flatMap((param) => ['--param', param]);
  const output = ['--output', join(folder, 'model.kensa'), '--json'];
  const networks = ['--backbones', join(folder, 'networks')];
  const trained = await runKensa(['train', join(folder, 'photos'), ...params, ...networks, ...output], {});
  expect(trained.code, trained.output).toBe(0);
  const { remarks } = JSON.parse(trained.output.split('\n').find((line) => line.startsWith('{')) ?? '{}');
  expect(remarks).toContain('Left out, as they are the same files as other good images: copy of 0, copy of 3.');
  expect(remarks.join(' ')).toMatch(/6 good images support/);
});
