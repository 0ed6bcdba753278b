// Trains on a folder and inspects its test images in a process of its own, the whole prediction and its parts, and prints one
// line of JSON: predict-run.js FOLDER RUNS.
import sharp from 'sharp';
import { readDatasetFolder } from '../../src/cli/dataset-folder.ts';
import { decodePatchcore } from '../../src/vision/algorithms/patchcore/model.ts';
import { openBackbone } from '../../src/vision/backbone/open-backbone.ts';
import { decodeImage } from '../../src/vision/image/decode-image.ts';
import { resizeImage } from '../../src/vision/image/resize-image.ts';
import type { Matrix } from '../../src/vision/math/matrix.ts';
import { createRandom } from '../../src/vision/math/random.ts';
import { openMemorySearch } from '../../src/vision/memory-bank/open-memory-search.ts';
import { openMatrixProduct } from '../../src/vision/onnx/open-matrix-product.ts';
import { readImages } from './image-folder.ts';
import { measureTurns } from './measure-turns.ts';
import { nativeShare } from './native-share.ts';
import { type TrainedInspector, trainInspector } from './train-inspector.ts';

export interface PredictRun {
  /** Milliseconds from bytes to verdict, regions and heatmap, in floats and in 8 bits; `verdict`: in 8 bits without heatmap. */
  readonly whole: Readonly<Record<'float' | 'eightBit' | 'verdict', readonly number[]>>;
  /** Milliseconds of each stage, with the network in floats. */
  readonly stages: Readonly<Record<string, readonly number[]>>;
  /** One share for each round over all images. */
  readonly nativeShares: readonly number[];
  /** Milliseconds of the parts of a prediction, and of a matrix product of 1024³. */
  readonly parts: Readonly<Record<'float' | 'eightBit' | 'search' | 'searchOfAll' | 'gemm', readonly number[]>>;
  readonly patches: number;
  /** Number of members and of axes. */
  readonly memory: readonly [number, number];
}

const INPUT = 256;
const GRID = INPUT / 8;
const WARM_UP = 8;
const SHARE_ROUNDS = 5;
const options = { threshold: 0.5, ignoreOuter: 'none', minDetectedArea: 0, heatmap: true };

function noise(rows: number, columns: number, seed: number): Matrix {
  const random = createRandom(seed);
  return { rows, columns, data: Float32Array.from({ length: rows * columns }, () => random.normal()) };
}

async function measureParts(float: TrainedInspector, eightBit: TrainedInspector, jpeg: Uint8Array) {
  const image = await resizeImage(await decodeImage(jpeg), INPUT, INPUT);
  const networks = { float: await openBackbone(float.backbone), eightBit: await openBackbone(eightBit.backbone) };
  const state = decodePatchcore(float.payload);
  const { bank, weights, neighbours } = state;
  const memory = await openMemorySearch(state, neighbours);
  const all = await openMemorySearch({ bank, weights }, neighbours);
  const product = await openMatrixProduct();
  const [a, b, queries] = [noise(1024, 1024, 1), noise(1024, 1024, 2), noise(GRID ** 2, bank.columns, 3)];
  const work = {
    float: () => networks.float.extractLevels(image),
    eightBit: () => networks.eightBit.extractLevels(image),
    search: () => memory.distances({ rows: GRID, columns: GRID, patches: queries }),
    searchOfAll: () => all.patchDistances(queries),
    gemm: () => product.multiply(a, b),
  };
  const parts = await measureTurns(work, { warmUp: 3, runs });
  const opened = [networks.float, networks.eightBit, memory, all, product];
  await Promise.all(opened.map((each) => each.dispose()));
  return { parts, patches: queries.rows, memory: [bank.rows, bank.columns] as const };
}

async function measureWhole(float: TrainedInspector, eightBit: TrainedInspector, images: readonly Uint8Array[]) {
  const stages: Record<string, number[]> = {};
  let [floats, eightBits, verdicts] = [0, 0, 0];
  const imageAt = (index: number): Uint8Array => images[index % images.length] ?? new Uint8Array();
  const work = {
    async float() {
      const verdict = await float.inspector.inspect(imageAt(floats++), options);
      if (floats <= WARM_UP) return;
      for (const [stage, time] of Object.entries(verdict.stages ?? {})) {
        stages[stage] ??= [];
        stages[stage].push(time);
      }
    },
    eightBit: () => eightBit.inspector.inspect(imageAt(eightBits++), options),
    verdict: () => eightBit.inspector.inspect(imageAt(verdicts++), { ...options, heatmap: false }),
  };
  const whole = await measureTurns(work, { warmUp: WARM_UP, runs });
  return { whole, stages };
}

const [folder = '.', count = '60'] = process.argv.slice(2);
const runs = Number(count);
// The same settings as compute processes have.
sharp.concurrency(1);
sharp.cache(false);
const { train, test } = await readDatasetFolder(folder);
const training = await readImages(train.map(({ path }) => path));
const images = await readImages(test.map(({ path }) => path));
const [float, eightBit] = [await trainInspector(training, 'kensa'), await trainInspector(training, 'kensa-int8')];
const whole = await measureWhole(float, eightBit, images);
const nativeShares: number[] = [];
for (let round = 0; round < SHARE_ROUNDS; round++)
  nativeShares.push(
    await nativeShare(async () => {
      for (const image of images) await float.inspector.inspect(image, { ...options, heatmap: false });
    }),
  );
const [image] = images;
if (!image) throw new Error('there is no image to inspect');
const run: PredictRun = { ...whole, nativeShares, ...(await measureParts(float, eightBit, image)) };
console.log(JSON.stringify(run));
process.exit(0);
