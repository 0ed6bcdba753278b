// Learns from a folder's photos and judges its test photos in a process of its own, all of it and in parts, and prints one line
// of JSON: predict-run.js FOLDER RUNS.
import sharp from 'sharp';
import { readDatasetFolder } from '../../src/cli/dataset-folder.ts';
import { collectRarely } from '../../src/collect-rarely.ts';
import { decodePatchcore } from '../../src/vision/algorithms/patchcore/codec.ts';
import { openBackbone } from '../../src/vision/backbone/open-backbone.ts';
import { decodeImage } from '../../src/vision/image/decode-image.ts';
import { resizeImage } from '../../src/vision/image/resize-image.ts';
import type { Matrix } from '../../src/vision/math/matrix.ts';
import { createRandom } from '../../src/vision/math/random.ts';
import { openMemorySearch } from '../../src/vision/memory-bank/open-memory-search.ts';
import { openNearestNeighbours } from '../../src/vision/memory-bank/open-nearest-neighbours.ts';
import { openMatrixProduct } from '../../src/vision/onnx/open-matrix-product.ts';
import { measureTurns } from './measure-turns.ts';
import { nativeShare } from './native-share.ts';
import { readPhotos } from './photo-folder.ts';
import { type TrainedInspector, trainInspector } from './train-inspector.ts';

export interface PredictRun {
  /** Milliseconds from bytes to verdict, regions, heatmap: with the network in floats, in 8 bits. */
  readonly whole: Readonly<Record<'float' | 'eightBit', readonly number[]>>;
  /** Milliseconds, of the former. */
  readonly stages: Readonly<Record<string, readonly number[]>>;
  /** Of some rounds over all photos. */
  readonly nativeShares: readonly number[];
  /** Milliseconds of the parts of a prediction, and of a matrix product of 1024³. */
  readonly parts: Readonly<Record<'float' | 'eightBit' | 'search' | 'searchOfAll' | 'gemm', readonly number[]>>;
  readonly patches: number;
  /** Members and axes. */
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

async function measureParts(float: TrainedInspector, eightBit: TrainedInspector, photo: Uint8Array) {
  const image = await resizeImage(await decodeImage(photo), INPUT, INPUT);
  const networks = { float: await openBackbone(float.backbone), eightBit: await openBackbone(eightBit.backbone) };
  const state = decodePatchcore(float.payload);
  const { bank, weights, neighbours } = state;
  const memory = await openMemorySearch(state, neighbours);
  const all = await openNearestNeighbours({ bank, weights }, neighbours);
  const product = await openMatrixProduct();
  const [a, b, queries] = [noise(1024, 1024, 1), noise(1024, 1024, 2), noise(GRID ** 2, bank.columns, 3)];
  const work = {
    float: () => networks.float.extractLevels(image),
    eightBit: () => networks.eightBit.extractLevels(image),
    search: () => memory.distances({ rows: GRID, columns: GRID, patches: queries }),
    searchOfAll: () => all.distances(queries),
    gemm: () => product.multiply(a, b),
  };
  const parts = await measureTurns(work, { warmUp: 3, runs });
  const opened = [networks.float, networks.eightBit, memory, all, product];
  await Promise.all(opened.map((each) => each.dispose()));
  return { parts, patches: queries.rows, memory: [bank.rows, bank.columns] as const };
}

async function measureWhole(float: TrainedInspector, eightBit: TrainedInspector, photos: readonly Uint8Array[]) {
  const stages: Record<string, number[]> = {};
  let [floats, eightBits] = [0, 0];
  const photoAt = (index: number): Uint8Array => photos[index % photos.length] ?? new Uint8Array();
  const work = {
    async float() {
      const verdict = await float.inspector.inspect(photoAt(floats++), options);
      if (floats <= WARM_UP) return;
      for (const [stage, time] of Object.entries(verdict.stages ?? {})) {
        stages[stage] ??= [];
        stages[stage].push(time);
      }
    },
    eightBit: () => eightBit.inspector.inspect(photoAt(eightBits++), options),
  };
  const whole = await measureTurns(work, { warmUp: WARM_UP, runs });
  return { whole, stages };
}

const [folder = '.', count = '60'] = process.argv.slice(2);
const runs = Number(count);
// As compute processes are.
collectRarely();
sharp.concurrency(1);
sharp.cache(false);
const { train, test } = await readDatasetFolder(folder);
const training = await readPhotos(train.map(({ path }) => path));
const photos = await readPhotos(test.map(({ path }) => path));
const [float, eightBit] = [await trainInspector(training, 'kensa'), await trainInspector(training, 'kensa-int8')];
const whole = await measureWhole(float, eightBit, photos);
const nativeShares: number[] = [];
for (let round = 0; round < SHARE_ROUNDS; round++)
  nativeShares.push(
    await nativeShare(async () => {
      for (const photo of photos) await float.inspector.inspect(photo, options);
    }),
  );
const [photo] = photos;
if (!photo) throw new Error('there is no photo to judge');
const run: PredictRun = { ...whole, nativeShares, ...(await measureParts(float, eightBit, photo)) };
console.log(JSON.stringify(run));
process.exit(0);
