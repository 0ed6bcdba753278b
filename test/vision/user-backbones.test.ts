import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { borrowNetworks } from '../../bench/accuracy/borrow-networks.ts';
import { createBackboneCatalogue } from '../../src/domains/algorithms/backbone-catalogue.ts';
import { patchcore } from '../../src/vision/algorithms/catalogue.ts';
import { parseParameterValues } from '../../src/vision/algorithms/contract/parameter-values.ts';
import { createRandom } from '../../src/vision/math/random.ts';
import { GraphBuilder } from '../../src/vision/onnx/graph-builder.ts';
import type { BackboneFile } from '../../src/vision/types.ts';
import { drawProduct, prepared, productSample } from './synthetic-product.ts';
import { tinyBackbone } from './tiny-backbone.ts';

const publicNetworks =
  process.env['KENSA_BENCH_NETWORKS'] ?? fileURLToPath(new URL('../../../shared/weights', import.meta.url));
const tiny = tinyBackbone();

/** Highest scores of a good and of a defective product, by what was learned from six good ones. */
async function trainAndScore(backbone: BackboneFile, imageSize = 96): Promise<{ good: number; defect: number }> {
  const overrides = Object.entries({ image_size: `${imageSize}`, bank_size: '200' });
  const parsed = parseParameterValues(
    patchcore,
    overrides.map(([name, value]) => ({ name, value })),
  );
  if ('issues' in parsed) throw new Error(JSON.stringify(parsed.issues));
  const random = createRandom(8);
  const { payload } = await patchcore.fit({
    samples: Array.from({ length: 6 }, (_, index) => productSample(`good ${index}`, drawProduct(random, false))),
    params: parsed.values,
    random,
    backbone,
    signal: new AbortController().signal,
    report: () => {},
  });
  const predictor = await patchcore.open(payload, backbone, parsed.values);
  const highest = async (defective: boolean): Promise<number> =>
    Math.max(...(await predictor.predict(prepared(drawProduct(random, defective)))).map.data);
  const scores = { good: await highest(false), defect: await highest(true) };
  await predictor.dispose();
  return scores;
}

describe("a user's own network", () => {
  let folder: string;
  const put = async (name: string, onnx: Uint8Array, description: unknown): Promise<void> => {
    await writeFile(join(folder, `${name}.onnx`), onnx);
    await writeFile(
      join(folder, `${name}.json`),
      typeof description === 'string' ? description : JSON.stringify(description),
    );
  };
  const get = (name: string): Promise<BackboneFile> => createBackboneCatalogue(folder).getBackbone(name);

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kensa-backbones-'));
    await put('own', tiny.onnx, tiny.description);
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('works like ours, by its name with and without the file extension', async () => {
    expect(await createBackboneCatalogue(folder).listBackbones()).toContain('own');
    expect((await get('own')).description).toEqual(tiny.description);
    const { good, defect } = await trainAndScore(await get('own.onnx'));
    expect(defect).toBeGreaterThan(1.2 * good);
  });

  it.each(['../own', '/etc/passwd', 'a/../own', '..', '', 'own.json', '%2e%2e%2fown'])(
    'is not found under "%s"',
    async (name) => {
      await expect(get(name)).rejects.toMatchObject({
        code: 'invalid-request',
        problems: [{ key: 'backbone' }],
        message: expect.stringMatching(/is not known. Known: .*kensa.*own/),
      });
    },
  );

  it.each<[string, unknown, RegExp]>([
    ['text', 'no JSON at all', /not valid JSON/],
    ['no-outputs', { ...tiny.description, outputs: [] }, /outputs/],
    ['no-input', { ...tiny.description, input: undefined }, /input/],
    ['short-mean', { ...tiny.description, mean: [0.5] }, /mean/],
    ['text-std', { ...tiny.description, std: ['a', 'b', 'c'] }, /std/],
  ])('is refused with a description that has %s', async (name, description, reason) => {
    await put(name, tiny.onnx, description);
    const refusal = { problems: [{ key: 'backbone' }], message: expect.stringMatching(reason) };
    await expect(get(name)).rejects.toMatchObject(refusal);
  });

  it('is refused without a description, and told what to write', async () => {
    await writeFile(join(folder, 'alone.onnx'), tiny.onnx);
    const message = expect.stringMatching(/alone.json .* missing. Write \{"input", "outputs", "mean", "std"\}/);
    await expect(get('alone')).rejects.toMatchObject({ problems: [{ key: 'backbone' }], message });
    expect(await createBackboneCatalogue(folder).listBackbones()).not.toContain('alone');
  });

  it.each<[string, Uint8Array, object, RegExp]>([
    ['other names of outputs', tiny.onnx, { outputs: ['layer2', 'eighth'] }, /description names layer2\. Correct/],
    ['another name of the input', tiny.onnx, { input: 'data' }, /has inputs image .* names data/],
    ['bytes that are no network', Buffer.from('no network'), {}, /not an ONNX network that runs here/],
  ])('is refused with %s', async (_, onnx, changes, reason) => {
    await put('wrong', onnx, { ...tiny.description, ...changes });
    const refusal = { code: 'invalid_backbone', message: expect.stringMatching(reason) };
    await expect(trainAndScore(await get('wrong'))).rejects.toMatchObject(refusal);
  });

  it('is refused where an output is no map of features', async () => {
    const graph = new GraphBuilder();
    const image = graph.input('image', [1, 3, 'height', 'width']);
    graph.output('vector', graph.add('ReduceMean', [image], { axes: [2, 3], keepdims: 0 }));
    await put('classifier', graph.encode(), { ...tiny.description, outputs: ['vector'] });
    await expect(trainAndScore(await get('classifier'))).rejects.toMatchObject({
      code: 'invalid_backbone',
      message: expect.stringMatching(/Output vector .* \[1,3\]; float32 \[1, C, h, w\] is needed/),
    });
  });
});

const present = ['resnet50v2_layers123', 'squeezenet1_1_features'].filter((name) =>
  existsSync(join(publicNetworks, `${name}.onnx`)),
);

describe.skipIf(present.length === 0)('public networks', () => {
  let borrowed: Awaited<ReturnType<typeof borrowNetworks>>;
  beforeAll(async () => {
    borrowed = await borrowNetworks(publicNetworks);
  });
  afterAll(() => rm(borrowed.folder, { recursive: true }));

  it.each(present)('%s learns and tells a defect', async (name) => {
    expect(borrowed.names).toContain(name);
    const { good, defect } = await trainAndScore(await createBackboneCatalogue(borrowed.folder).getBackbone(name), 128);
    expect(defect).toBeGreaterThan(1.2 * good);
  });
});

if (present.length === 0)
  console.warn(`No public network is in the folder ${publicNetworks} (KENSA_BENCH_NETWORKS): none is tested.`);
