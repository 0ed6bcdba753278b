import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runKensa } from '../../../test/support/spawn-service.ts';
import { drawProduct } from '../../../test/vision/synthetic-product.ts';
import { tinyBackbone } from '../../../test/vision/tiny-backbone.ts';
import { createRandom } from '../../vision/math/random.ts';

const PARAMS = ['backbone=tiny.onnx', 'image_size=96', 'bank_size=200'].flatMap((param) => ['--param', param]);

/** Laid out for `evaluate`, too: train/good, test/good, test/scratch. */
let folder: string;
const inFolder = (...parts: string[]) => join(folder, ...parts);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kensa-train-'));
  for (const part of ['train/good', 'test/good', 'test/scratch', 'networks']) {
    await mkdir(inFolder(part), { recursive: true });
  }
  const { onnx, description } = tinyBackbone();
  await writeFile(inFolder('networks', 'tiny.onnx'), onnx);
  await writeFile(inFolder('networks', 'tiny.json'), JSON.stringify(description));
  const random = createRandom(9);
  const draw = async (path: string, defect: boolean) => {
    const { data, width, height } = drawProduct(random, defect);
    await sharp(data, { raw: { width, height, channels: 3 } })
      .png()
      .toFile(inFolder(path));
  };
  for (let index = 0; index < 6; index++) await draw(`train/good/${index}.png`, false);
  await draw('test/good/0.png', false);
  await draw('test/scratch/0.png', true);
});
afterAll(() => rm(folder, { recursive: true }));

/** The first line of JSON that a command printed. */
function jsonOf(output: string) {
  return JSON.parse(output.split('\n').find((line) => /^[[{]/.test(line)) ?? 'null');
}

it('counts copies of an image once, whatever their names, and says so', async () => {
  await mkdir(inFolder('copies'));
  for (const index of [0, 1, 2, 3, 4, 5]) {
    await copyFile(inFolder('train', 'good', `${index}.png`), inFolder('copies', `${index}.png`));
  }
  for (const index of [0, 3]) {
    await copyFile(inFolder('train', 'good', `${index}.png`), inFolder('copies', `copy of ${index}.png`));
  }
  const output = ['--output', inFolder('copies.kensa'), '--json'];
  const networks = ['--backbones', inFolder('networks')];
  const trained = await runKensa(['train', inFolder('copies'), ...PARAMS, ...networks, ...output], {});
  expect(trained.code, trained.output).toBe(0);
  const { remarks } = jsonOf(trained.output);
  expect(remarks).toContain('Copies of other good images, not learned from: copy of 0, copy of 3.');
  expect(remarks.join(' ')).toMatch(/With 6 good items, false alarms can be held to 14.3\u00a0% at best/);
});

it('takes networks from BACKBONES_DIR, as the service does, and from --backbones before it', async () => {
  const settings = { BACKBONES_DIR: inFolder('networks') };
  const good = inFolder('train', 'good');
  const model = inFolder('model.kensa');
  const trained = await runKensa(['train', good, ...PARAMS, '--output', model, '--json'], settings);
  expect(trained.code, trained.output).toBe(0);
  expect(jsonOf(trained.output)).toMatchObject({ network: 'tiny', images: 6 });

  const predicted = await runKensa(['predict', good, '--model', model, '--json'], settings);
  expect(predicted.code, predicted.output).toBe(0);
  expect(jsonOf(predicted.output)).toHaveLength(6);

  const evaluated = await runKensa(['evaluate', folder, ...PARAMS, '--json'], settings);
  expect(evaluated.code, evaluated.output).toBe(0);
  expect(jsonOf(evaluated.output)).toMatchObject({ params: { backbone: 'tiny' }, test_defect: 1 });

  const elsewhere = ['--backbones', good];
  const unknown = await runKensa(['train', good, ...PARAMS, ...elsewhere, '--output', model], settings);
  expect(unknown.code).toBe(1);
  expect(unknown.output).toContain('"tiny.onnx" is not known');
});

it('names a folder of networks that does not exist', async () => {
  const good = inFolder('train', 'good');
  const given = await runKensa(['train', good, '--backbones', inFolder('nowhere')], {});
  expect(given.output).toContain(`${inFolder('nowhere')} is not a folder`);
  const set = await runKensa(['train', good], { BACKBONES_DIR: inFolder('nowhere') });
  expect(set.output).toContain(`${inFolder('nowhere')} is not a folder`);
  expect([given.code, set.code]).toEqual([1, 1]);
});
