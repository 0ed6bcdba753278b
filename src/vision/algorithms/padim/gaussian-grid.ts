import { Tensor } from 'onnxruntime-node';
import type { PatchMeasure } from '../../anomaly-map/map-scorer.ts';
import { say } from '../../engine-messages.ts';
import { inverseCholesky } from '../../math/inverse-cholesky.ts';
import { GraphBuilder } from '../../onnx/graph-builder.ts';
import { openSession } from '../../onnx/open-session.ts';
import type { FeatureMap16 } from '../../training/training-patches.ts';
import { VisionError } from '../../vision-error.ts';

/** A Gaussian for every cell of a grid; Σ⁻¹ = WᵀW. */
export interface GaussianGrid {
  readonly rows: number;
  readonly columns: number;
  readonly dims: number;
  /** [rows · columns, dims] */
  readonly means: Float32Array;
  /** Lower triangles of W, row by row. [rows · columns, dims · (dims + 1) / 2] */
  readonly whitening: Float32Array;
}

/** Of the covariances; a training takes about twelve times as much memory. */
export const MOST_BYTES = 140e6;

const bytesOf = (cells: number, channels: number): number => 4 * cells * ((channels * (channels + 1)) / 2);

/**
 * The Gaussians grow with the square of the channels and of the input's side, which each by itself is within its range.
 * @param grid of an image's features
 * @throws VisionError `invalid_value` where both together are too much, naming what would fit
 */
export function checkGridSize(grid: { rows: number; columns: number }, channels: number, imageSize: number): void {
  const cells = grid.rows * grid.columns;
  const bytes = bytesOf(cells, channels);
  if (bytes <= MOST_BYTES) return;
  let fewer = channels;
  while (fewer > 1 && bytesOf(cells, fewer) > MOST_BYTES) fewer--;
  const smaller = 32 * Math.floor((imageSize * Math.sqrt(MOST_BYTES / bytes)) / 32);
  const megabytes = { megabytes: Math.round(bytes / 1e6), most: MOST_BYTES / 1e6 };
  throw new VisionError('invalid_value', say('padim.too-large', { imageSize, channels, ...megabytes, fewer, smaller }));
}

/** The smallest variance, as a share of the common one: no direction is trusted to be without any noise. */
const FLOOR = 0.01;

interface Sums {
  /** [dims] */
  readonly mean: Float64Array;
  /** Sum of outer products of what is left of the samples after the mean. [dims, dims], lower triangle */
  readonly scatter: Float64Array;
  readonly count: number;
}

/** Mean and scatter of the patches at the given cells, over all images. */
function sumsAt(images: readonly FeatureMap16[], cells: readonly number[], dims: number): Sums {
  const mean = new Float64Array(dims);
  const count = images.length * cells.length;
  for (const { step, steps } of images)
    for (const cell of cells) for (let d = 0; d < dims; d++) mean[d]! += (steps[cell * dims + d]! * step) / count;
  const scatter = new Float64Array(dims * dims);
  const rest = new Float64Array(dims);
  for (const { step, steps } of images)
    for (const cell of cells) {
      for (let d = 0; d < dims; d++) rest[d] = steps[cell * dims + d]! * step - mean[d]!;
      for (let i = 0; i < dims; i++) for (let j = 0; j <= i; j++) scatter[i * dims + j]! += rest[i]! * rest[j]!;
    }
  return { mean, scatter, count };
}

/** Cells of the 3×3 block around a cell. */
function neighbourhood(cell: number, rows: number, columns: number): number[] {
  const row = Math.floor(cell / columns);
  const column = cell % columns;
  const cells: number[] = [];
  for (let y = Math.max(0, row - 1); y <= Math.min(rows - 1, row + 1); y++)
    for (let x = Math.max(0, column - 1); x <= Math.min(columns - 1, column + 1); x++) cells.push(y * columns + x);
  return cells;
}

/** At most this many cells and images give the common covariance. */
const COMMON_CELLS = 128;
const COMMON_IMAGES = 8;

/** What patches differ by from cell to neighbouring cell and from image to image, averaged over the grid. [dims, dims] */
function commonCovariance(images: readonly FeatureMap16[], dims: number): Float64Array {
  const [first] = images;
  const { rows, columns } = first ?? { rows: 0, columns: 0 };
  const common = new Float64Array(dims * dims);
  const step = Math.max(1, Math.floor((rows * columns) / COMMON_CELLS));
  let freedom = 0;
  for (let cell = Math.floor(step / 2); cell < rows * columns; cell += step) {
    const block = neighbourhood(cell, rows, columns);
    const { scatter, count } = sumsAt(images.slice(0, COMMON_IMAGES), block, dims);
    for (let i = 0; i < scatter.length; i++) common[i]! += scatter[i]!;
    freedom += count - 1;
  }
  let trace = 0;
  for (let i = 0; i < common.length; i++) common[i]! /= Math.max(1, freedom);
  for (let d = 0; d < dims; d++) trace += common[d * dims + d]! / dims;
  for (let d = 0; d < dims; d++) common[d * dims + d]! += FLOOR * trace + 1e-12;
  return common;
}

/**
 * For every cell a Gaussian of its patches over the images (Defard et al. 2021), the covariance shrunk towards the
 * common one by a weight of `prior` images. @param images feature maps of one shape, at least one
 */
export function learnGaussians(images: readonly FeatureMap16[], prior: number): GaussianGrid {
  const { rows, columns, dims } = images[0] ?? { rows: 0, columns: 0, dims: 0 };
  const cells = rows * columns;
  const common = commonCovariance(images, dims);
  const means = new Float32Array(cells * dims);
  const whitening = new Float32Array((cells * dims * (dims + 1)) / 2);
  let to = 0;
  for (let cell = 0; cell < cells; cell++) {
    const { mean, scatter, count } = sumsAt(images, [cell], dims);
    means.set(mean, cell * dims);
    const weight = prior + count - 1;
    for (let i = 0; i < scatter.length; i++) scatter[i] = (scatter[i]! + prior * common[i]!) / weight;
    const inverse = inverseCholesky(scatter, dims);
    for (let row = 0; row < dims; row++)
      for (let column = 0; column <= row; column++) whitening[to++] = inverse[row * dims + column]!;
  }
  return { rows, columns, dims, means, whitening };
}

/** [cells, dims, dims], each W transposed, so that (x − m)·Wᵀ is one product a cell. */
function fullWhitening({ rows, columns, dims, whitening }: GaussianGrid): Float32Array {
  const full = new Float32Array(rows * columns * dims * dims);
  let from = 0;
  for (let cell = 0; cell < rows * columns; cell++)
    for (let row = 0; row < dims; row++)
      for (let column = 0; column <= row; column++) full[(cell * dims + column) * dims + row] = whitening[from++]!;
  return full;
}

function mahalanobisGraph(grid: GaussianGrid, withFeatures: boolean): Uint8Array {
  const { rows, columns, dims } = grid;
  const cells = rows * columns;
  const graph = new GraphBuilder();
  const patches = graph.input('patches', [cells, 1, dims]);
  const centred = graph.add('Sub', [patches, graph.constant(grid.means, [cells, 1, dims])]);
  const white = graph.add('MatMul', [centred, graph.constant(fullWhitening(grid), [cells, dims, dims])]);
  graph.output('distances', graph.add('ReduceL2', [white], { axes: [2], keepdims: 0 }));
  if (withFeatures) graph.output('white', white);
  return graph.encode();
}

/**
 * Mahalanobis distances from the Gaussians of the cells. What patches are compared by is how they differ from their
 * cell's mean, in deviations: the same change in a place of the same look is the same, whatever the place.
 * @param withFeatures whether anybody asks what patches are compared by
 * @throws VisionError `invalid_value` from `measure` for a grid of another shape
 */
export async function openGaussianMeasure(
  grid: GaussianGrid,
  withFeatures: boolean,
  threads = 1,
): Promise<PatchMeasure> {
  const { rows: ownRows, columns: ownColumns, dims } = grid;
  const session = await openSession(mahalanobisGraph(grid, withFeatures), threads);
  return {
    async measure({ rows, columns, patches }) {
      if (rows !== ownRows || columns !== ownColumns)
        throw new VisionError('invalid_value', say('model.other-grid', { columns, rows, ownColumns, ownRows }));
      const tensor = new Tensor('float32', patches.data, [patches.rows, 1, patches.columns]);
      const { distances, white } = await session.run({ patches: tensor });
      const data = (white?.data ?? new Float32Array()) as Float32Array;
      const features = { rows: data.length / dims, columns: dims, data };
      return { rows, columns, features, distances: distances?.data as Float32Array };
    },
    dispose: () => session.release(),
  };
}
