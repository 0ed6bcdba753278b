import { type Plane, samplePlane } from './contrast-pyramid.ts';
import type { Landmarks } from './landmarks.ts';
import { afterInverseOf, type Similarity } from './similarity.ts';
import { solveSymmetric4 } from './solve-symmetric.ts';

export interface Refined {
  readonly map: Similarity;
  /** Normalised cross-correlation at the landmarks, -1 to 1; 0 where fewer than half of them are in the picture. */
  readonly correlation: number;
}

/** Differences beyond this many standard deviations count less and less, so that defects do not shift the result. */
const ROBUST_SCALE = 0.7;

/**
 * Sub-cell registration by inverse-compositional Gauss–Newton (Baker & Matthews 2004) on gain- and offset-free
 * differences, as in the enhanced correlation coefficient (Evangelidis & Psarakis 2008), with Cauchy weights.
 */
export function refineRegistration(
  landmarks: Landmarks,
  reference: Plane,
  moving: Plane,
  start: Similarity,
  iterations: number,
): Refined {
  const samples = new Float32Array(landmarks.count);
  let map = start;
  let correlation = 0;
  for (let iteration = 0; iteration <= iterations; iteration++) {
    const fit = sampleLandmarks(landmarks, reference, moving, map, samples);
    correlation = fit.correlation;
    if (iteration === iterations || fit.inside * 2 < landmarks.count) break;
    const step = gaussNewtonStep(landmarks, reference, samples, fit);
    if (!step) break;
    map = afterInverseOf(map, step);
    if (Math.abs(step.x) + Math.abs(step.y) + 64 * (Math.abs(step.re) + Math.abs(step.im)) < 0.004) {
      correlation = sampleLandmarks(landmarks, reference, moving, map, samples).correlation;
      break;
    }
  }
  return { map, correlation };
}

interface Fit {
  readonly inside: number;
  readonly correlation: number;
  readonly meanA: number;
  readonly meanB: number;
  readonly deviationA: number;
  readonly deviationB: number;
}

/** Reads the moving plane at the landmarks' places; NaN where they fall outside. */
function sampleLandmarks(
  landmarks: Landmarks,
  reference: Plane,
  moving: Plane,
  map: Similarity,
  out: Float32Array,
): Fit {
  const { columns, rows } = moving;
  let n = 0;
  let [sumA, sumB, sumAA, sumBB, sumAB] = [0, 0, 0, 0, 0];
  for (let index = 0; index < landmarks.count; index++) {
    const px = landmarks.columns[index]! + 0.5 - reference.columns / 2;
    const py = landmarks.rows[index]! + 0.5 - reference.rows / 2;
    const u = map.re * px - map.im * py + map.x + columns / 2 - 0.5;
    const v = map.im * px + map.re * py + map.y + rows / 2 - 0.5;
    const b = samplePlane(moving, u, v);
    out[index] = b;
    if (Number.isNaN(b)) continue;
    const a = landmarks.values[index]!;
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
  const enough = n * 2 >= landmarks.count && n > 0;
  const correlation = enough ? (sumAB / n - meanA * meanB) / (deviationA * deviationB) : 0;
  return { inside: n, correlation, meanA, meanB, deviationA, deviationB };
}

/** The small similarity that moves the reference onto the samples; undefined where the slopes do not fix one. */
function gaussNewtonStep(
  landmarks: Landmarks,
  reference: Plane,
  samples: Float32Array,
  fit: Fit,
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
