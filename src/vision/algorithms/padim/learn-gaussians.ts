import { inverseCholesky } from '../../math/inverse-cholesky.ts';
import type { FeatureMap16 } from '../../training/training-patches.ts';
import type { GaussianGrid } from './gaussian-scorer.ts';

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

/** Cells of the 3×3 block around a cell that lie in the grid. */
function neighbourhood(cell: number, rows: number, columns: number): number[] {
  const [row, column] = [Math.floor(cell / columns), cell % columns];
  return [-1, 0, 1].flatMap((dy) =>
    [-1, 0, 1].flatMap((dx) => {
      const [y, x] = [row + dy, column + dx];
      return y >= 0 && y < rows && x >= 0 && x < columns ? [y * columns + x] : [];
    }),
  );
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
 * common one by a weight of `prior` images: with one image it is the common covariance, with many their own.
 * @param images feature maps of one shape, at least one
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
