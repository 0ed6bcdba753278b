import { chooseInputLayout, type InputLayout, layoutTiles, type Tiling } from '../backbone/input-layout.ts';
import { openPatchExtractor, type PatchExtractor } from '../backbone/patch-extractor.ts';
import { say } from '../engine-messages.ts';
import { brightnessOf, chooseExposure, type Exposure } from '../image/exposure.ts';
import { type Matrix, stackRows, takeRows } from '../math/matrix.ts';
import { median } from '../math/quantile.ts';
import { sampleIndices } from '../math/random.ts';
import { type MatrixProduct, openMatrixProduct } from '../onnx/open-matrix-product.ts';
import { prefetch } from '../onnx/prefetch.ts';
import type { TrainingSample } from '../types.ts';
import { throwIfCancelled } from '../vision-error.ts';
import { type FitInput, getFlag, getNumber } from './fit-input.ts';
import { principalAxes } from './principal-axes.ts';

/** A training whose network is open. */
export interface Training<Projection = Matrix | undefined> extends FitInput {
  readonly layout: InputLayout;
  /** Of the layout's canvas, times the projection. */
  readonly extractor: RestingExtractor;
  /** [dims, axes] */
  readonly projection: Projection;
  readonly product: MatrixProduct;
  /** Standard deviation of a map's blur, in cells. */
  readonly smoothing: number;
  readonly dropOutliers: boolean;
  readonly falseAlarmRate: number;
}

export type PlainTraining = FitInput & Pick<Training, 'layout' | 'extractor' | 'product'>;

const LAYOUT_IMAGES = 8;
const EXPOSURE_IMAGES = 24;
/** Distances in 128 principal axes rank images as those in all dimensions do, in a quarter of the time. */
const AXES = 128;
const AXES_IMAGES = 24;
/** With many tiles fewer images will do: each gives far more patches than are taken of it. */
const AXES_TILES = 96;
const FEWEST_AXES_IMAGES = 4;
const AXES_PATCHES = 12_000;

/** `count` of the samples, spread by chance. */
function someOf(samples: readonly TrainingSample[], count: number, { random }: FitInput): TrainingSample[] {
  return Array.from(sampleIndices(samples.length, count, random), (index) => samples[index]!);
}

/** From this input size on, cells are averaged: more of them would take longer and find no more defects. */
const POOLED_FROM = 384;

/**
 * The layout for images of the samples' usual size.
 * @param imageSize side of the network's input in pixels
 * @param pooled see `chooseInputLayout`
 */
export async function commonLayout(
  samples: readonly TrainingSample[],
  input: FitInput,
  imageSize: number,
  pooled = false,
): Promise<InputLayout> {
  const sizes: { width: number; height: number }[] = [];
  for await (const { image } of prefetch(someOf(samples, LAYOUT_IMAGES, input), (sample) => sample.load()))
    sizes.push({ width: image.width, height: image.height });
  // The median of the shapes, so that a single unusual image does not bend all others.
  const shape = Math.exp(median(sizes.map(({ width, height }) => Math.log(width / height))));
  const pixels = median(sizes.map(({ width, height }) => width * height));
  const size = { width: Math.sqrt(pixels * shape), height: Math.sqrt(pixels / shape) };
  // PaDiM has a Gaussian for each cell and no tiles; only some algorithms let a person bound the tiles.
  const { tiling = 'off', max_tiles: mostTiles } = input.params;
  return chooseInputLayout(size, imageSize, tiling as Tiling, mostTiles as number | undefined, pooled);
}

/** The exposure for good images like these; some of them are measured, evenly spread. */
async function commonExposure(samples: readonly TrainingSample[], { signal }: FitInput): Promise<Exposure | undefined> {
  const good = samples.filter((sample) => sample.good);
  const count = Math.min(EXPOSURE_IMAGES, good.length);
  const measured = Array.from({ length: count }, (_, index) => good[Math.floor((index * good.length) / count)]!);
  const brightness: number[] = [];
  for await (const { image } of prefetch(measured, (sample) => sample.load())) {
    throwIfCancelled(signal);
    brightness.push(brightnessOf(image));
  }
  return chooseExposure(brightness);
}

/** Whitening divides an axis by the square root of its variance, to the power 1/2. This is a quarter of that. */
const EVEN_POWER = 1 / 8;
const LEAST_VARIANCE = 1e-9;

/**
 * Divides each axis by a power of its variance, so that a few strong axes do not decide alone. The power grows with the
 * images: what is weak in one image may be strong between images. The sum of the variances stays.
 * @param axes [dims, axes] @param variances along the axes, [axes] @param images that the axes were learned from
 */
function evenAxes(axes: Matrix, variances: Float64Array, images: number): Matrix {
  const power = EVEN_POWER * (1 - 1 / images);
  const strongest = variances[0] ?? 0;
  const factors = variances.map((variance) => Math.max(variance / strongest, LEAST_VARIANCE) ** -power || 0);
  const sum = variances.reduce((total, variance) => total + variance, 0);
  const evened = variances.reduce((total, variance, axis) => total + variance * factors[axis]! ** 2, 0);
  const scale = evened > 0 ? Math.sqrt(sum / evened) : 1;
  return { ...axes, data: axes.data.map((value, i) => value * scale * factors[i % axes.columns]!) };
}

/** The principal axes of what the extractor sees in some of the samples, evened out. [dims, axes] */
export async function learnProjection(samples: readonly TrainingSample[], training: PlainTraining): Promise<Matrix> {
  const { layout, extractor, product, random, signal } = training;
  const enough = Math.max(FEWEST_AXES_IMAGES, Math.floor(AXES_TILES / layoutTiles(layout).length));
  const chosen = someOf(samples, Math.min(AXES_IMAGES, enough), training);
  const quota = Math.ceil(AXES_PATCHES / chosen.length);
  const extract = async (sample: TrainingSample) => {
    throwIfCancelled(signal);
    return extractor.extract((await sample.load()).image);
  };
  const parts: Matrix[] = [];
  for await (const { patches } of prefetch(chosen, extract, 1))
    parts.push(takeRows(patches, sampleIndices(patches.rows, quota, random)));
  const { axes, variances } = await principalAxes(stackRows(parts), AXES, random, product);
  return evenAxes(axes, variances, chosen.length);
}

/** An extractor whose network may be closed while other work needs the memory. */
export interface RestingExtractor extends PatchExtractor {
  /** Closes the network; the next image opens it again. */
  rest(): Promise<void>;
}

function restingExtractor(open: () => Promise<PatchExtractor>): RestingExtractor {
  let opened: Promise<PatchExtractor> | undefined;
  let disposed = false;
  const rest = async (): Promise<void> => {
    const resting = opened;
    opened = undefined;
    await (await resting?.catch(() => undefined))?.dispose();
  };
  return {
    rest,
    async extract(image) {
      // A cancelled training may still ask.
      if (disposed) throw new Error('The extractor is closed.');
      opened ??= open();
      return (await opened).extract(image);
    },
    async dispose() {
      disposed = true;
      await rest();
    },
  };
}

/**
 * Chooses the layout by the samples' usual size and brightness, learns the projection, opens the network, and closes it after `train`.
 * @param options `imageSize` is the side of the network's input in pixels, absent: the parameter; `learnProjection`
 * learns from patches what they are multiplied with, absent: nothing
 * @throws VisionError `invalid_backbone`, `cancelled`, and what `train` throws
 */
export async function withTraining<Projection extends Matrix | undefined, Result>(
  input: FitInput,
  samples: readonly TrainingSample[],
  options: { imageSize?: number; learnProjection?(training: PlainTraining): Promise<Projection> },
  train: (training: Training<Projection>) => Promise<Result>,
): Promise<Result> {
  const { params, backbone, threads, signal, report } = input;
  throwIfCancelled(signal);
  report({ fraction: 0, doing: say('progress.images') });
  const imageSize = options.imageSize ?? getNumber(params, 'image_size');
  const exposure = await commonExposure(samples, input);
  const layout = {
    ...(await commonLayout(samples, input, imageSize, imageSize >= POOLED_FROM)),
    ...(exposure && { exposure }),
  };
  const product = await openMatrixProduct(threads);
  const open = async <Opened>(
    projection: Matrix | undefined,
    use: (extractor: RestingExtractor) => Promise<Opened>,
  ) => {
    const extractor = restingExtractor(() => openPatchExtractor(backbone, layout, projection, threads));
    return use(extractor).finally(() => extractor.dispose());
  };
  try {
    const projection = await (options.learnProjection &&
      open(undefined, (extractor) => options.learnProjection!({ ...input, layout, extractor, product })));
    const settings = {
      smoothing: getNumber(params, 'smoothing'),
      dropOutliers: getFlag(params, 'drop_outliers'),
      falseAlarmRate: getNumber(params, 'false_alarm_rate'),
    };
    return await open(projection, (extractor) =>
      train({ ...input, ...settings, layout, extractor, projection: projection as Projection, product }),
    );
  } finally {
    await product.dispose();
  }
}
