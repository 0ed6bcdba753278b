/** Image AUROC of PatchCore on moved demo products, with and without `align`: `node --import tsx bench/align-auroc.ts [product]`. */
import { readFile } from 'node:fs/promises';
import type { DemoProduct } from '../src/demo/demo-product.ts';
import { encodeImage } from '../src/demo/encode-image.ts';
import { products } from '../src/demo/products.ts';
import { renderDemoSet } from '../src/demo/render-demo-set.ts';
import { parseParameterValues } from '../src/vision/algorithms/contract/parameter-values.ts';
import { patchcore } from '../src/vision/algorithms/patchcore/patchcore.ts';
import { highestScore, inspectMap } from '../src/vision/anomaly-map/inspected-map.ts';
import { NO_MARGINS } from '../src/vision/anomaly-map/parse-ignore-outer.ts';
import { imageAuroc } from '../src/vision/evaluation/ranking-metrics.ts';
import { createRandom } from '../src/vision/math/random.ts';
import { compileSteps, type Preprocess } from '../src/vision/preprocess/compile-steps.ts';
import type { BackboneDescription, BackboneFile } from '../src/vision/types.ts';

const SETS = { good: 40, testGood: 24, testDefect: 24 };
const SEED = 11;

async function readBackbone(): Promise<BackboneFile> {
  const folder = new URL('../assets/backbones/', import.meta.url);
  const description = JSON.parse(await readFile(new URL('kensa.json', folder), 'utf8')) as BackboneDescription;
  return { id: 'kensa', onnx: await readFile(new URL('kensa.onnx', folder)), description };
}

async function measure(product: DemoProduct, backbone: BackboneFile, shift: number, degrees: number, align: boolean) {
  const set = renderDemoSet(product, SEED, { ...SETS, upTo: { shift, degrees } });
  const still = renderDemoSet(product, SEED + 1, { good: 1, testGood: 0, testDefect: 0 });
  const reference = await encodeImage(still.training[0]!.render().image, 'png');
  const steps = align ? [{ name: 'align', config: { reference: 'still' } }] : [];
  const preprocess: Preprocess = await compileSteps(steps, new Map([['still', reference]]));
  const parsed = parseParameterValues(patchcore, []);
  if (!('values' in parsed)) throw new Error('the defaults of patchcore are not valid');
  const fitted = await patchcore.fit({
    samples: set.training.map((sample) => ({
      itemId: sample.name,
      name: sample.name,
      good: true,
      regions: [],
      load: () => preprocess(sample.render().image),
    })),
    params: parsed.values,
    random: createRandom(1),
    backbone,
    signal: new AbortController().signal,
    report: () => undefined,
  });
  const predictor = await patchcore.open(fitted.payload, backbone, parsed.values);
  const scores: { good: number[]; defect: number[] } = { good: [], defect: [] };
  let unaligned = 0;
  for (const sample of set.test) {
    const prepared = await preprocess(sample.render().image);
    if (prepared.remarks) unaligned += 1;
    const { map } = await predictor.predict(prepared);
    const score = highestScore(inspectMap(map, prepared, NO_MARGINS));
    scores[sample.defect === undefined ? 'good' : 'defect'].push(score);
  }
  await predictor.dispose();
  return { auroc: imageAuroc(scores), unaligned };
}

const backbone = await readBackbone();
const only = process.argv[2];
for (const product of products.filter((each) => (only ? each.id === only : each.id !== 'woven-fabric'))) {
  for (const [shift, degrees] of [
    [0, 0],
    [0.1, 10],
  ] as const) {
    for (const align of [false, true]) {
      const { auroc, unaligned } = await measure(product, backbone, shift, degrees, align);
      const move = `± ${shift * 100} %, ± ${degrees}°`;
      console.log(`| ${product.id} | ${move} | ${align ? 'yes' : 'no'} | ${auroc?.toFixed(4)} | ${unaligned} |`);
    }
  }
}
