import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findAlgorithm } from '../../src/vision/algorithms/catalogue.ts';
import { parseParameterValues } from '../../src/vision/algorithms/contract/parameter-values.ts';
import { openPatchExtractor } from '../../src/vision/backbone/patch-extractor.ts';
import { openInspector } from '../../src/vision/inspection/open-inspector.ts';
import { createRandom } from '../../src/vision/math/random.ts';
import { openBankScorer } from '../../src/vision/memory-bank/open-memory-search.ts';
import { encodeModel } from '../../src/vision/model-file/model-file.ts';
import { trainModel } from '../../src/vision/training/train-model.ts';
import { drawProduct, productSample } from './synthetic-product.ts';
import { tinyBackbone } from './tiny-backbone.ts';

const PROGRAM = fileURLToPath(new URL('../../src/cli/kensa.ts', import.meta.url));
const backbone = { ...tinyBackbone(), id: 'tiny' };
const OPTIONS = { threshold: 0.5, ignoreOuter: 'none', minDetectedArea: 0, heatmap: false };

/** The score's eight bytes: two numbers that print alike need not be alike. */
const bytesOf = (score: number): string => Buffer.from(Float64Array.of(score).buffer).toString('hex');

async function trainOn(id: string): Promise<Uint8Array> {
  const algorithm = findAlgorithm(id);
  if (!algorithm) throw new Error(`There is no algorithm ${id}.`);
  const small = [
    { name: 'image_size', value: '96' },
    { name: 'bank_size', value: '200' },
  ].filter(({ name }) => algorithm.parameters.some((parameter) => parameter.name === name));
  const parsed = parseParameterValues(algorithm, small);
  if ('issues' in parsed) throw new Error(JSON.stringify(parsed.issues));
  const random = createRandom(3);
  const model = await trainModel({
    algorithm,
    samples: Array.from({ length: 6 }, (_, index) => productSample(`good ${index}`, drawProduct(random, false))),
    params: parsed.values,
    random,
    backbone,
    signal: new AbortController().signal,
    report: () => {},
  });
  return encodeModel(model);
}

describe.each(['patchcore', 'padim', 'subspace'])('scores of %s', (id) => {
  let folder: string;
  let model: Uint8Array;
  let images: Buffer[];
  let scores: string[];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kensa-bytes-'));
    const random = createRandom(5);
    images = await Promise.all(
      [false, true, false].map((defect) => {
        const { data, width, height } = drawProduct(random, defect);
        return sharp(data, { raw: { width, height, channels: 3 } })
          .png()
          .toBuffer();
      }),
    );
    model = await trainOn(id);
    const inspector = await openInspector(model, backbone);
    scores = [];
    for (const image of images) scores.push(bytesOf((await inspector.inspect(image, OPTIONS)).rawScore));
    await inspector.dispose();
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('are the same bytes alone, among others and asked for all at once', async () => {
    const inspector = await openInspector(model, backbone);
    const alone = await inspector.inspect(images[2] ?? Buffer.of(), { ...OPTIONS, heatmap: true });
    expect(bytesOf(alone.rawScore)).toBe(scores[2]);
    const many = [...images, ...images, ...images].toReversed();
    const together = await Promise.all(many.map((image) => inspector.inspect(image, OPTIONS)));
    expect(together.map(({ rawScore }) => bytesOf(rawScore))).toEqual([...scores, ...scores, ...scores].toReversed());
    await inspector.dispose();
  });

  it('are the same bytes in another process', async () => {
    await writeFile(join(folder, 'tiny.onnx'), backbone.onnx);
    await writeFile(join(folder, 'tiny.json'), JSON.stringify(backbone.description));
    await writeFile(join(folder, 'model.kensa'), model);
    const paths = images.map((_, index) => join(folder, `${index}.png`));
    for (const [index, path] of paths.entries()) await writeFile(path, images[index] ?? '');
    const flags = ['predict', ...paths, '--model', join(folder, 'model.kensa'), '--backbones', folder, '--json'];
    const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', PROGRAM, ...flags]);
    const rows = JSON.parse(stdout) as { raw_score: number }[];
    expect(rows.map(({ raw_score }) => bytesOf(raw_score))).toEqual(scores);
  });
});

describe('features and distances', () => {
  it('are the same bytes on one thread and on three', async () => {
    const layout = { canvasWidth: 160, canvasHeight: 96, tileWidth: 96, tileHeight: 96 };
    const image = drawProduct(createRandom(4), true);
    const [one, three] = await Promise.all(
      [1, 3].map(async (threads) => {
        const extractor = await openPatchExtractor(backbone, layout, undefined, threads);
        const features = await extractor.extract(image);
        const scorer = await openBankScorer({ bank: features.patches }, { neighbours: 3, smoothing: 1, threads });
        const map = await scorer.score(features);
        await extractor.dispose();
        await scorer.dispose();
        return Buffer.concat(
          [features.patches.data, map.data].map((data) => Buffer.from(Float32Array.from(data).buffer)),
        );
      }),
    );
    expect(one?.length).toBeGreaterThan(10_000);
    expect(three?.equals(one ?? Buffer.of())).toBe(true);
  });
});
