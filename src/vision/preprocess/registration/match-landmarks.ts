import { type Plane, samplePlane } from './contrast-pyramid.ts';
import { afterInverseOf, type Similarity, similarityFrom } from './similarity.ts';

export type Landmarks = ReturnType<typeof findLandmarks>;

/**
 * The cells of a plane with the steepest slopes: they show a movement best. At most `limit` cells, in reading order,
 * none where `usable` is 0. All arrays are [count].
 */
export function findLandmarks(plane: Plane, limit: number, usable?: Uint8Array) {
  const { columns, rows, data } = plane;
  const steepness = new Float32Array(columns * rows);
  for (let row = 1; row < rows - 1; row++) {
    for (let column = 1; column < columns - 1; column++) {
      const at = row * columns + column;
      if (usable && !usable[at]) continue;
      const x = slopeX(plane, at);
      const y = slopeY(plane, at);
      steepness[at] = x * x + y * y;
    }
  }
  const sorted = steepness.slice().sort();
  const least = Math.max(sorted[Math.max(0, sorted.length - limit)] ?? 0, 1e-6);
  const chosen: number[] = [];
  for (let at = 0; at < data.length && chosen.length < limit; at++) if (steepness[at]! >= least) chosen.push(at);
  return {
    count: chosen.length,
    columns: Int32Array.from(chosen, (at) => at % columns),
    rows: Int32Array.from(chosen, (at) => Math.floor(at / columns)),
    values: Float32Array.from(chosen, (at) => data[at]!),
    slopesX: Float32Array.from(chosen, (at) => slopeX(plane, at)),
    slopesY: Float32Array.from(chosen, (at) => slopeY(plane, at)),
  };
}

function slopeX({ data }: Plane, at: number): number {
  return (data[at + 1]! - data[at - 1]!) / 2;
}

function slopeY({ columns, data }: Plane, at: number): number {
  return (data[at + columns]! - data[at - columns]!) / 2;
}

const STEP_DEGREES = 2.5;

/**
 * Tries every turn and whole-cell shift in range and keeps the one with the highest normalised cross-correlation.
 * @param range the largest shift in cells of the plane, and the largest turn in degrees, either way
 * @returns the map from the landmarks' plane to `moving`.
 */
export function searchCoarse(
  landmarks: Landmarks,
  reference: Plane,
  moving: Plane,
  range: { readonly shift: number; readonly degrees: number },
): Similarity {
  const { count, columns, rows, values } = landmarks;
  const samples = new Float32Array(count);
  const shift = Math.max(1, Math.ceil(range.shift));
  const turns = Math.ceil(range.degrees / STEP_DEGREES);
  let best = similarityFrom(0, 0, 0);
  let highest = Number.NEGATIVE_INFINITY;
  for (let turn = -turns; turn <= turns; turn++) {
    const degrees = turns === 0 ? 0 : (turn * range.degrees) / turns;
    const map = similarityFrom(degrees, 0, 0);
    const turned = resample(reference, moving, map, shift);
    const stride = reference.columns + 2 * shift;
    for (let dy = -shift; dy <= shift; dy++) {
      for (let dx = -shift; dx <= shift; dx++) {
        const start = (shift + dy) * stride + shift + dx;
        for (let index = 0; index < count; index++)
          samples[index] = turned[start + rows[index]! * stride + columns[index]!]!;
        const { isEnough, correlation } = correlate(values, samples);
        if (!isEnough || correlation <= highest) continue;
        highest = correlation;
        // The shift was measured in the turned picture.
        best = { ...map, x: map.re * dx - map.im * dy, y: map.im * dx + map.re * dy };
      }
    }
  }
  return best;
}

/** The moving plane through the map, NaN outside of it. [(rows + 2·margin) · (columns + 2·margin)] of the reference */
function resample(reference: Plane, moving: Plane, map: Similarity, margin: number): Float32Array {
  const columns = reference.columns + 2 * margin;
  const rows = reference.rows + 2 * margin;
  const out = new Float32Array(columns * rows);
  for (let row = 0; row < rows; row++) {
    const py = row + 0.5 - rows / 2;
    for (let column = 0; column < columns; column++) {
      const px = column + 0.5 - columns / 2;
      const u = map.re * px - map.im * py + moving.columns / 2 - 0.5;
      const v = map.im * px + map.re * py + moving.rows / 2 - 0.5;
      out[row * columns + column] = samplePlane(moving, u, v);
    }
  }
  return out;
}

/** Differences beyond this many standard deviations count less and less, so that defects do not shift the result. */
const ROBUST_SCALE = 0.7;

/**
 * Sub-cell registration by inverse-compositional Gauss–Newton (Baker & Matthews 2004) on gain- and offset-free
 * differences, as in the enhanced correlation coefficient (Evangelidis & Psarakis 2008), with Cauchy weights.
 * @returns the map, and its normalised cross-correlation at the landmarks, -1 to 1
 */
export function refineRegistration(
  landmarks: Landmarks,
  reference: Plane,
  moving: Plane,
  start: Similarity,
  iterations: number,
) {
  const samples = new Float32Array(landmarks.count);
  let map = start;
  let correlation = 0;
  for (let iteration = 0; iteration <= iterations; iteration++) {
    sampleLandmarks(landmarks, reference, moving, map, samples);
    const fit = correlate(landmarks.values, samples);
    correlation = fit.correlation;
    if (iteration === iterations || !fit.isEnough) break;
    const step = gaussNewtonStep(landmarks, reference, samples, fit);
    if (!step) break;
    map = afterInverseOf(map, step);
    if (Math.abs(step.x) + Math.abs(step.y) + 64 * (Math.abs(step.re) + Math.abs(step.im)) < 0.004) {
      sampleLandmarks(landmarks, reference, moving, map, samples);
      correlation = correlate(landmarks.values, samples).correlation;
      break;
    }
  }
  return { map, correlation };
}

/** Reads the moving plane at the landmarks' places; NaN where they fall outside. */
function sampleLandmarks(
  landmarks: Landmarks,
  reference: Plane,
  moving: Plane,
  map: Similarity,
  out: Float32Array,
): void {
  const { columns, rows } = moving;
  for (let index = 0; index < landmarks.count; index++) {
    const px = landmarks.columns[index]! + 0.5 - reference.columns / 2;
    const py = landmarks.rows[index]! + 0.5 - reference.rows / 2;
    const u = map.re * px - map.im * py + map.x + columns / 2 - 0.5;
    const v = map.im * px + map.re * py + map.y + rows / 2 - 0.5;
    out[index] = samplePlane(moving, u, v);
  }
}

/**
 * Normalised cross-correlation of the landmarks with samples of the moving plane; NaN samples do not count.
 * @returns means and deviations of both (a: landmarks, b: samples). Without enough samples the correlation is 0.
 */
function correlate(values: Float32Array, samples: Float32Array) {
  let n = 0;
  let sumA = 0;
  let sumB = 0;
  let sumAA = 0;
  let sumBB = 0;
  let sumAB = 0;
  for (let index = 0; index < values.length; index++) {
    const b = samples[index]!;
    if (Number.isNaN(b)) continue;
    const a = values[index]!;
    n += 1;
    sumA += a;
    sumB += b;
    sumAA += a * a;
    sumBB += b * b;
    sumAB += a * b;
  }
  const meanA = sumA / n;
  const meanB = sumB / n;
  const deviationA = Math.sqrt(Math.max(1e-9, sumAA / n - meanA * meanA));
  const deviationB = Math.sqrt(Math.max(1e-9, sumBB / n - meanB * meanB));
  const isEnough = n * 2 >= values.length && n > 0;
  const correlation = isEnough ? (sumAB / n - meanA * meanB) / (deviationA * deviationB) : 0;
  return { isEnough, correlation, meanA, meanB, deviationA, deviationB };
}

/** The small similarity that moves the reference onto the samples; undefined where the slopes do not fix one. */
function gaussNewtonStep(
  landmarks: Landmarks,
  reference: Plane,
  samples: Float32Array,
  fit: ReturnType<typeof correlate>,
): Similarity | undefined {
  const { slopesX, slopesY, values } = landmarks;
  const normal = new Float64Array(16);
  const right = new Float64Array(4);
  const row = new Float64Array(4);
  for (let index = 0; index < landmarks.count; index++) {
    const sample = samples[index]!;
    if (Number.isNaN(sample)) continue;
    const a = (values[index]! - fit.meanA) / fit.deviationA;
    const difference = (sample - fit.meanB) / fit.deviationB - a;
    const weight = 1 / (1 + (difference / ROBUST_SCALE) ** 2);
    const px = landmarks.columns[index]! + 0.5 - reference.columns / 2;
    const py = landmarks.rows[index]! + 0.5 - reference.rows / 2;
    const gx = slopesX[index]! / fit.deviationA;
    const gy = slopesY[index]! / fit.deviationA;
    row[0] = gx * px + gy * py;
    row[1] = gy * px - gx * py;
    row[2] = gx;
    row[3] = gy;
    for (let i = 0; i < 4; i++) {
      const weighted = weight * row[i]!;
      right[i]! += weighted * difference;
      for (let j = i; j < 4; j++) normal[i * 4 + j]! += weighted * row[j]!;
    }
  }
  const solved = solveSymmetric4(normal, right);
  return solved && { re: solved[0]!, im: solved[1]!, x: solved[2]!, y: solved[3]! };
}

/** Cholesky solution [4] for the upper triangle of [4 · 4]; undefined where the matrix is not positive definite. */
export function solveSymmetric4(matrix: Float64Array, right: Float64Array): Float64Array | undefined {
  const lower = new Float64Array(16);
  for (let i = 0; i < 4; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = matrix[j * 4 + i]!;
      for (let k = 0; k < j; k++) sum -= lower[i * 4 + k]! * lower[j * 4 + k]!;
      if (i !== j) lower[i * 4 + j] = sum / lower[j * 4 + j]!;
      else if (sum > 1e-9) lower[i * 4 + i] = Math.sqrt(sum);
      else return undefined;
    }
  }
  const solution = new Float64Array(4);
  for (let i = 0; i < 4; i++) {
    let sum = right[i]!;
    for (let k = 0; k < i; k++) sum -= lower[i * 4 + k]! * solution[k]!;
    solution[i] = sum / lower[i * 4 + i]!;
  }
  for (let i = 3; i >= 0; i--) {
    let sum = solution[i]!;
    for (let k = i + 1; k < 4; k++) sum -= lower[k * 4 + i]! * solution[k]!;
    solution[i] = sum / lower[i * 4 + i]!;
  }
  return solution;
}
