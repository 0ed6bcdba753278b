import sharp from 'sharp';
import { decodePatchcore } from '../../src/vision/algorithms/patchcore/codec.ts';
import { openMemorySearch } from '../../src/vision/components/open-memory-search.ts';
import { openNearestNeighbours } from '../../src/vision/components/open-nearest-neighbours.ts';
import { openBackbone } from '../../src/vision/features/open-backbone.ts';
import { decodeImage } from '../../src/vision/image/decode-image.ts';
import { resizeImage } from '../../src/vision/image/resize-image.ts';
import { createRandom } from '../../src/vision/math/random.ts';
import { type Matrix, openMatrixProduct } from '../../src/vision/onnx/open-matrix-product.ts';
import { type Figure, medianFigure, type Section, spreadOf } from './figure.ts';
import { nativeShare } from './native-share.ts';
import { type TrainedInspector, trainInspector } from './train-inspector.ts';

/** Of the network that comes with Kensa, at 256 × 256: two for each product of a convolution. */
const NETWORK_FLOP = 1.475e9;
const INPUT = 256;
const GRID = INPUT / 8;
const PATCHES = GRID ** 2;
const WARM_UP = 8;
const LIMITS = { native: 85, gemm: 60, eightBitSpeed: 2.5 };
const options = { threshold: 0.5, ignoreOuter: 'none', minDetectedArea: 0, heatmap: true };

function noise(rows: number, columns: number, seed: number): Matrix {
  const random = createRandom(seed);
  return { rows, columns, data: Float32Array.from({ length: rows * columns }, () => random.normal()) };
}

/** The parts of a prediction one by one, in turns, so that a busy moment of the machine weighs on all of them. */
async function measureKernels(trained: readonly TrainedInspector[], photo: Uint8Array, runs: number) {
  const [float, eightBit] = trained;
  if (!float || !eightBit) throw new Error('two networks are compared');
  const image = await resizeImage(await decodeImage(photo), INPUT, INPUT);
  const networks = await Promise.all([float, eightBit].map(({ backbone }) => openBackbone(backbone)));
  const state = decodePatchcore(float.payload);
  const { bank, weights, neighbours } = state;
  const memory = await openMemorySearch(state, neighbours);
  const all = await openNearestNeighbours({ bank, weights }, neighbours);
  const product = await openMatrixProduct();
  const [a, b, queries] = [noise(1024, 1024, 1), noise(1024, 1024, 2), noise(PATCHES, bank.columns, 3)];
  const work: Record<string, () => Promise<unknown>> = {
    float: async () => networks[0]?.extractLevels(image),
    eightBit: async () => networks[1]?.extractLevels(image),
    search: () => memory.distances({ rows: GRID, columns: GRID, patches: queries }),
    searchOfAll: () => all.distances(queries),
    gemm: () => product.multiply(a, b),
  };
  const times: Record<string, number[]> = { float: [], eightBit: [], search: [], searchOfAll: [], gemm: [] };
  for (let run = -3; run < runs; run++)
    for (const [name, part] of Object.entries(work)) {
      const started = performance.now();
      await part();
      if (run >= 0) times[name]?.push(performance.now() - started);
    }
  await Promise.all([...networks, memory, all, product].map((each) => each.dispose()));
  return { times, bank };
}

async function measureWhole(trained: readonly TrainedInspector[], photos: readonly Uint8Array[], runs: number) {
  const totals: number[][] = trained.map(() => []);
  const stages = new Map<string, number[]>();
  for (let run = -WARM_UP; run < runs; run++)
    for (const [which, { inspector }] of trained.entries()) {
      const photo = photos[Math.abs(run) % photos.length];
      if (!photo) continue;
      const started = performance.now();
      const verdict = await inspector.inspect(photo, options);
      if (run < 0) continue;
      totals[which]?.push(performance.now() - started);
      if (which > 0) continue;
      for (const [stage, time] of Object.entries(verdict.stages ?? {}))
        stages.set(stage, [...(stages.get(stage) ?? []), time]);
    }
  return { totals, stages };
}

function kernelFigures({ times, bank }: Awaited<ReturnType<typeof measureKernels>>): Figure[] {
  const median = (name: string): number => spreadOf(times[name] ?? []).median;
  const gemm = (2 * 1024 ** 3) / median('gemm') / 1e6;
  const network = NETWORK_FLOP / median('float') / 1e6;
  return [
    medianFigure('network alone', 'ms', times['float'] ?? []),
    medianFigure('network in 8 bits alone', 'ms', times['eightBit'] ?? []),
    medianFigure(
      `search alone, ${PATCHES} patches in a memory of ${bank.rows} × ${bank.columns}`,
      'ms',
      times['search'] ?? [],
    ),
    medianFigure('the same without candidates', 'ms', times['searchOfAll'] ?? []),
    { name: 'search by candidates, times faster', unit: '×', value: median('searchOfAll') / median('search') },
    { name: 'matrix product 1024³', unit: 'GFLOP/s', value: gemm },
    { name: 'network', unit: 'GFLOP/s', value: network },
    {
      name: 'network against the matrix product',
      unit: '%',
      value: (100 * network) / gemm,
      limit: { least: LIMITS.gemm },
    },
    {
      name: 'network in 8 bits, times faster',
      unit: '×',
      value: median('float') / median('eightBit'),
      limit: { least: LIMITS.eightBitSpeed },
    },
  ];
}

/** From a photo's bytes to verdict, regions and heatmap in one process. @param photos good and defective, of one megapixel */
export async function measurePredict(
  training: readonly Uint8Array[],
  photos: readonly Uint8Array[],
  runs: number,
): Promise<{ section: Section; modelFile: Uint8Array }> {
  sharp.concurrency(1);
  sharp.cache(false);
  const trained = [await trainInspector(training, 'kensa'), await trainInspector(training, 'kensa-int8')];
  const { totals, stages } = await measureWhole(trained, photos, runs);
  const native = await nativeShare(async () => {
    for (const photo of photos) await trained[0]?.inspector.inspect(photo, options);
  });
  const [photo] = photos;
  if (!photo) throw new Error('there is no photo to judge');
  const kernels = await measureKernels(trained, photo, runs);
  await Promise.all(trained.map(({ inspector }) => inspector.dispose()));
  const section: Section = {
    title: 'One prediction',
    method:
      `${photos.length} JPEG photos of one megapixel, half of them with a defect, at input ${INPUT}, on one thread; the stages are those of the float network. ` +
      '“Native” is what V8’s profiler finds outside JavaScript and its garbage collection.',
    figures: [
      medianFigure('from bytes to verdict, regions, heatmap', 'ms', totals[0] ?? []),
      medianFigure('the same in 8 bits', 'ms', totals[1] ?? []),
      ...[...stages].map(([stage, values]) => medianFigure(`stage ${stage}`, 'ms', values)),
      { name: 'inside native kernels', unit: '%', value: 100 * native, limit: { least: LIMITS.native } },
      ...kernelFigures(kernels),
    ],
  };
  return { section, modelFile: trained[0]?.modelFile ?? new Uint8Array() };
}
