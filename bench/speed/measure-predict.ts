import { type Figure, medianFigure, type Section, spreadOf } from './figure.ts';
import type { PredictRun } from './predict-run.ts';
import { bundledRun, runChild } from './run-child.ts';

/** Floating-point operations of the network `kensa` at 256 × 256: two for each product of a convolution. */
const NETWORK_FLOP = 1.475e9;
const LIMITS = { native: 85, gemm: 60, eightBitSpeed: 2.5, verdict: 30 };

function partFigures({ parts, patches, memory: [members, axes] }: PredictRun): Figure[] {
  const median = (name: keyof typeof parts): number => spreadOf(parts[name]).median;
  const gemm = (2 * 1024 ** 3) / median('gemm') / 1e6;
  const network = NETWORK_FLOP / median('float') / 1e6;
  const eightBitSpeed = median('float') / median('eightBit');
  return [
    medianFigure('network alone', 'ms', parts.float),
    medianFigure('network in 8 bits alone', 'ms', parts.eightBit),
    medianFigure(`search alone, ${patches} patches in a memory of ${members} × ${axes}`, 'ms', parts.search),
    medianFigure('the same over all members', 'ms', parts.searchOfAll),
    { name: 'search by a shortlist, times faster', unit: '×', value: median('searchOfAll') / median('search') },
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
      value: eightBitSpeed,
      limit: { least: LIMITS.eightBitSpeed },
    },
  ];
}

/**
 * Measures from an image's bytes to verdict, regions and heatmap, bundled and in a process of its own, as in the service.
 * @param folder images of one megapixel to learn from, and good and defective ones to inspect
 */
export async function measurePredict(folder: string, images: number, runs: number): Promise<Section> {
  const run = await runChild<PredictRun>(await bundledRun('predict-run', folder, String(runs)));
  const shares = run.nativeShares.map((share) => 100 * share);
  return {
    title: 'One prediction',
    method:
      `${images} JPEG images of one megapixel, half of them with a defect, with the default parameters, on one thread, in a process like the service’s own; the stages are those of the float network. The service draws a heatmap when somebody opens it. Parts (“alone”) are measured at input 256. ` +
      '“Native” is what V8’s profiler finds outside JavaScript and its garbage collection, without heatmaps.',
    figures: [
      medianFigure('from bytes to verdict, regions, heatmap', 'ms', run.whole.float),
      medianFigure('the same in 8 bits', 'ms', run.whole.eightBit),
      medianFigure('in 8 bits from bytes to verdict and regions', 'ms', run.whole.verdict, { most: LIMITS.verdict }),
      ...Object.entries(run.stages).map(([stage, values]) => medianFigure(`stage ${stage}`, 'ms', values)),
      medianFigure('inside native kernels', '%', shares, { least: LIMITS.native }),
      ...partFigures(run),
    ],
  };
}
