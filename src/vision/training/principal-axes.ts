import type { Matrix } from '../math/matrix.ts';
import { symmetricEigen } from '../math/symmetric-eigen.ts';
import type { MatrixProduct } from '../onnx/open-matrix-product.ts';
import type { Random } from '../types.ts';

const OVERSAMPLING = 16;
const POWER_ITERATIONS = 5;

function centre({ rows, columns, data }: Matrix) {
  const sums = new Float64Array(columns);
  for (let at = 0; at < data.length; ) for (let column = 0; column < columns; column++) sums[column]! += data[at++]!;
  const mean = Float32Array.from(sums, (sum) => sum / rows);
  const differences = new Float32Array(data.length);
  let squares = 0;
  for (let at = 0; at < data.length; )
    for (let column = 0; column < columns; column++, at++) {
      differences[at] = data[at]! - mean[column]!;
      squares += differences[at]! ** 2;
    }
  return { mean, centred: { rows, columns, data: differences }, totalVariance: squares / Math.max(1, rows - 1) };
}

/** Takes from row `row` what lies along each row before it, one after the other; these have length 1. */
function takeAwayEarlier(vectors: Float64Array, length: number, row: number): void {
  const to = row * length;
  for (let from = 0; from < to; from += length) {
    let product = 0;
    for (let i = 0; i < length; i++) product += vectors[to + i]! * vectors[from + i]!;
    for (let i = 0; i < length; i++) vectors[to + i]! -= product * vectors[from + i]!;
  }
}

/** Makes the columns orthonormal (modified Gram–Schmidt, twice for accuracy); columns without length become zero. */
function orthonormalise({ rows, columns, data }: Matrix): Matrix {
  // Transposed, so that a column lies in one piece.
  const vectors = new Float64Array(rows * columns);
  for (let row = 0, at = 0; row < rows; row++)
    for (let column = 0; column < columns; column++) vectors[column * rows + row] = data[at++]!;
  for (let column = 0; column < columns; column++) {
    const vector = vectors.subarray(column * rows, (column + 1) * rows);
    const before = Math.hypot(...vector);
    for (let pass = 0; pass < 2; pass++) takeAwayEarlier(vectors, rows, column);
    const length = Math.hypot(...vector);
    const scale = length > 1e-10 * before ? 1 / length : 0;
    for (let i = 0; i < rows; i++) vector[i]! *= scale;
  }
  const back = new Float32Array(rows * columns);
  for (let row = 0, at = 0; row < rows; row++)
    for (let column = 0; column < columns; column++) back[at++] = vectors[column * rows + row]!;
  return { rows, columns, data: back };
}

/**
 * The `count` strongest principal axes of the samples, by the randomised method of Halko, Martinsson & Tropp 2011
 * (exact to working precision where the spectrum falls as that of image features does).
 * @param samples [samples, dims]; @param count is cut to `dims`
 * @returns `mean` [dims]; `axes` [dims, axes], orthonormal columns, the strongest first; `variances` along them [axes];
 * `totalVariance` over all dimensions
 */
export async function principalAxes(samples: Matrix, count: number, random: Random, product: MatrixProduct) {
  const { mean, centred: data, totalVariance } = centre(samples);
  const dims = samples.columns;
  const width = Math.min(dims, count + OVERSAMPLING);
  const divisor = Math.max(1, samples.rows - 1);
  const scatter = await product.multiplyTransposed(data, data);
  const covariance = { ...scatter, data: scatter.data.map((value) => value / divisor) };
  const start = Float32Array.from({ length: dims * width }, () => random.normal());
  let basis = orthonormalise({ rows: dims, columns: width, data: start });
  for (let i = 0; i < POWER_ITERATIONS; i++) basis = orthonormalise(await product.multiply(covariance, basis));
  const small = await product.multiplyTransposed(basis, await product.multiply(covariance, basis));
  const symmetric = Float64Array.from(
    small.data,
    (value, i) => (value + small.data[(i % width) * width + Math.floor(i / width)]!) / 2,
  );
  const { values, vectors } = symmetricEigen(symmetric, width);
  const kept = Math.min(count, dims);
  const turn = Float32Array.from(
    { length: width * kept },
    (_, i) => vectors[(i % kept) * width + Math.floor(i / kept)]!,
  );
  const axes = await product.multiply(basis, { rows: width, columns: kept, data: turn });
  return { mean, axes, variances: values.slice(0, kept).map((value) => Math.max(0, value)), totalVariance };
}
