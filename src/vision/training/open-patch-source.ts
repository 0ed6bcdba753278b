import { chooseInputLayout, type InputLayout, layoutTiles, type Tiling } from '../backbone/input-layout.ts';
import { openPatchExtractor, type PatchExtractor } from '../backbone/patch-extractor.ts';
import { type Matrix, stackRows, takeRows } from '../math/matrix.ts';
import { median } from '../math/quantile.ts';
import { sampleIndices } from '../math/sample-indices.ts';
import type { MatrixProduct } from '../onnx/open-matrix-product.ts';
import { prefetch } from '../onnx/prefetch.ts';
import type { TrainingSample } from '../types.ts';
import { throwIfCancelled } from '../vision-error.ts';
import { type FitInput, imageThreads } from './fit-input.ts';
import { principalAxes } from './principal-axes.ts';

/** Features as a model sees them: how images come to the network, and what its features are projected on. */
export interface PatchSource {
  readonly layout: InputLayout;
  /** [dims, axes] */
  readonly projection: Matrix;
  readonly extractor: PatchExtractor;
}

export interface PatchSourceOptions {
  readonly imageSize: number;
  readonly tiling: Tiling;
  /** Absent: the layout's own bound. */
  readonly mostTiles?: number;
  /** Principal axes to keep; distances in 128 of them rank images as those in all do, at a quarter of the time. */
  readonly axes: number;
}

const LAYOUT_IMAGES = 8;
const AXES_IMAGES = 24;
/** With many tiles fewer images will do: each gives far more patches than are taken of it. */
const AXES_TILES = 96;
const FEWEST_AXES_IMAGES = 4;
const AXES_PATCHES = 12_000;

/** `count` of the samples, spread by chance. */
function someOf(samples: readonly TrainingSample[], count: number, { random }: FitInput): TrainingSample[] {
  return [...sampleIndices(samples.length, count, random)].flatMap((index) => samples[index] ?? []);
}

/** The layout for images of the samples' usual size. */
export async function commonLayout(
  samples: readonly TrainingSample[],
  input: FitInput,
  options: Pick<PatchSourceOptions, 'imageSize' | 'tiling' | 'mostTiles'>,
): Promise<InputLayout> {
  const sizes: { width: number; height: number }[] = [];
  for await (const { image } of prefetch(someOf(samples, LAYOUT_IMAGES, input), (sample) => sample.load()))
    sizes.push({ width: image.width, height: image.height });
  // The median of the shapes, so that a single odd image does not bend all others.
  const shape = Math.exp(median(sizes.map(({ width, height }) => Math.log(width / height))));
  const pixels = median(sizes.map(({ width, height }) => width * height));
  const size = { width: Math.sqrt(pixels * shape), height: Math.sqrt(pixels / shape) };
  return chooseInputLayout(size, options.imageSize, options.tiling, options.mostTiles);
}

/** The principal axes of what the extractor sees in some of the samples. */
async function learnProjection(
  samples: readonly TrainingSample[],
  input: FitInput,
  { layout, extractor }: Pick<PatchSource, 'layout' | 'extractor'>,
  axes: number,
  product: MatrixProduct,
): Promise<Matrix> {
  const enough = Math.max(FEWEST_AXES_IMAGES, Math.floor(AXES_TILES / layoutTiles(layout).length));
  const chosen = someOf(samples, Math.min(AXES_IMAGES, enough), input);
  const quota = Math.ceil(AXES_PATCHES / chosen.length);
  const extract = async (sample: TrainingSample) => {
    throwIfCancelled(input.signal);
    return extractor.extract((await sample.load()).image);
  };
  const parts: Matrix[] = [];
  for await (const { patches } of prefetch(chosen, extract, 1))
    parts.push(takeRows(patches, sampleIndices(patches.rows, quota, input.random)));
  return (await principalAxes(stackRows(parts), axes, input.random, product)).axes;
}

/**
 * Chooses the layout by the samples' usual size, learns the principal axes of their features, and opens the network.
 * @throws VisionError `invalid_backbone`, `cancelled`
 */
export async function openPatchSource(
  samples: readonly TrainingSample[],
  input: FitInput,
  options: PatchSourceOptions,
  product: MatrixProduct,
): Promise<PatchSource> {
  const layout = await commonLayout(samples, input, options);
  const threads = imageThreads(input, layout);
  const plain = await openPatchExtractor(input.backbone, layout, undefined, threads);
  let projection: Matrix;
  try {
    projection = await learnProjection(samples, input, { layout, extractor: plain }, options.axes, product);
  } finally {
    await plain.dispose();
  }
  const extractor = await openPatchExtractor(input.backbone, layout, projection, threads);
  return { layout, projection, extractor };
}
