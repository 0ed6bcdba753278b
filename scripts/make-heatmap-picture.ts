// Makes docs/images/heatmaps.jpg: a defect of each demo product, and the heatmap that a freshly trained model draws.
import { mkdirSync, readFileSync } from 'node:fs';
import sharp, { type OverlayOptions } from 'sharp';
import { openAlgorithm } from '../src/cli/command-options.ts';
import { encodeJpeg, renderDemoSet } from '../src/demo/demo-product.ts';
import { decodeImage } from '../src/vision/image/decode-image.ts';
import { sharpImage } from '../src/vision/image/resize-image.ts';
import { openInspector, prepareNothing } from '../src/vision/inspection/open-inspector.ts';
import { createRandom } from '../src/vision/math/random.ts';
import { encodeModel } from '../src/vision/model-file/model-file.ts';
import { trainModel } from '../src/vision/training/train-model.ts';
import { products } from '../test/support/demo-images.ts';

const side = 320;
const gap = 4;
const shown: Record<string, string> = {
  'machined-part': 'scratch',
  'printed-label': 'barcode_void',
};

const { algorithm, values, backbone } = await openAlgorithm({
  algorithm: 'patchcore',
  param: ['image_size=512', 'backbone=kensa'],
});

const tiles: OverlayOptions[] = [];
for (const [column, product] of products.entries()) {
  const set = renderDemoSet(product, 1, { good: 20, testGood: 0, testDefect: product.defects.length });
  const samples = await Promise.all(
    set.training.map(async (sample) => {
      const bytes = await encodeJpeg(await sample.render());
      const load = async () => prepareNothing(await decodeImage(bytes));
      return { itemId: sample.name, name: sample.name, good: true, regions: [], load };
    }),
  );
  const model = await trainModel({
    algorithm,
    samples,
    backbone,
    params: values,
    random: createRandom(0),
    signal: new AbortController().signal,
    report: () => undefined,
  });
  const inspector = await openInspector(encodeModel(model), backbone);
  const sample = set.test.find((candidate) => candidate.defect === shown[product.id]);
  if (!sample) throw new Error(`${product.id} has no ${shown[product.id]}.`);
  const original = await sharpImage(await sample.render())
    .png()
    .toBuffer();
  const verdict = await inspector.inspect(original, {
    threshold: 0.5,
    ignoreOuter: 'none',
    minDetectedArea: 0,
    heatmap: true,
  });
  console.log(product.id, sample.name, verdict.result, verdict.anomalyScore.toFixed(6));
  for (const [row, picture] of [original, verdict.heatmap ?? original].entries()) {
    const input = await sharp(picture).resize(side, side).toBuffer();
    tiles.push({ input, left: column * (side + gap), top: row * (side + gap) });
  }
  await inspector.dispose();
}
const folder = new URL('../docs/images/', import.meta.url);
mkdirSync(folder, { recursive: true });
const file = new URL('heatmaps.jpg', folder).pathname;
const size = { width: products.length * (side + gap) - gap, height: 2 * (side + gap) - gap };
await sharp({ create: { ...size, channels: 3, background: 'white' } })
  .composite(tiles)
  .jpeg({ quality: 88 })
  .toFile(file);
console.log(file, readFileSync(file).length, 'bytes');
