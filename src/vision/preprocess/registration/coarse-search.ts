import { type Plane, samplePlane } from './contrast-pyramid.ts';
import type { Landmarks } from './landmarks.ts';
import { type Similarity, similarityFrom } from './similarity.ts';

export interface SearchRange {
  /** Largest shift in cells of the plane. */
  readonly shift: number;
  /** Largest turn in degrees, either way. */
  readonly degrees: number;
}

const STEP_DEGREES = 2.5;
/** Share of the landmarks that must lie inside the image. */
const LEAST_OVERLAP = 0.5;

/**
 * Tries every turn and whole-cell shift in range and keeps the one with the highest normalised cross-correlation.
 * @returns the map from the landmarks' plane to `moving`.
 */
export function searchCoarse(landmarks: Landmarks, reference: Plane, moving: Plane, range: SearchRange): Similarity {
  const shift = Math.max(1, Math.ceil(range.shift));
  const turns = Math.ceil(range.degrees / STEP_DEGREES);
  let best = similarityFrom(0, 0, 0);
  let highest = Number.NEGATIVE_INFINITY;
  for (let turn = -turns; turn <= turns; turn++) {
    const degrees = turns === 0 ? 0 : (turn * range.degrees) / turns;
    const map = similarityFrom(degrees, 0, 0);
    const turned = resample(reference, moving, map, shift);
    for (let dy = -shift; dy <= shift; dy++) {
      for (let dx = -shift; dx <= shift; dx++) {
        const correlation = correlate(landmarks, turned, reference.columns + 2 * shift, shift + dx, shift + dy);
        if (correlation <= highest) continue;
        highest = correlation;
        // The shift was measured in the turned picture.
        best = { ...map, x: map.re * dx - map.im * dy, y: map.im * dx + map.re * dy };
      }
    }
  }
  return best;
}

/**
 * The moving plane resampled through the map, with a margin on every side; NaN outside the moving plane.
 * @returns [(rows + 2·margin) · (columns + 2·margin)] of the reference.
 */
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

function correlate(landmarks: Landmarks, turned: Float32Array, stride: number, dx: number, dy: number): number {
  const { count, columns, rows, values } = landmarks;
  let n = 0;
  let sumA = 0;
  let sumB = 0;
  let sumAA = 0;
  let sumBB = 0;
  let sumAB = 0;
  for (let index = 0; index < count; index++) {
    const b = turned[(rows[index]! + dy) * stride + columns[index]! + dx]!;
    if (Number.isNaN(b)) continue;
    const a = values[index]!;
    n += 1;
    sumA += a;
    sumB += b;
    sumAA += a * a;
    sumBB += b * b;
    sumAB += a * b;
  }
  if (n < count * LEAST_OVERLAP) return Number.NEGATIVE_INFINITY;
  const spread = Math.sqrt((sumAA - (sumA * sumA) / n) * (sumBB - (sumB * sumB) / n));
  return spread > 1e-9 ? (sumAB - (sumA * sumB) / n) / spread : Number.NEGATIVE_INFINITY;
}
