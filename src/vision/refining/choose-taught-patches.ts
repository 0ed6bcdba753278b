import type { Matrix } from '../math/matrix.ts';

/** Distance of row `a` of one matrix from row `b` of another, in the exact arithmetic of a sum of squares. */
function distance(one: Matrix, a: number, other: Matrix, b: number): number {
  const { columns } = one;
  let sum = 0;
  for (let d = 0; d < columns; d++) sum += (one.data[a * columns + d]! - other.data[b * columns + d]!) ** 2;
  return Math.sqrt(sum);
}

/**
 * Greedy k-centre cover, as the memory itself was chosen: again and again the cell that is farthest from all that is
 * good, until none is farther than `radius`.
 * @param evidence [cells, dims] @param distances from what is good already, [cells] @param cells those that may count
 * @returns the chosen cells
 */
export function coverCells(
  evidence: Matrix,
  distances: Float32Array,
  cells: readonly number[],
  radius: number,
): Uint32Array {
  const left = new Map(cells.map((cell) => [cell, distances[cell]!]));
  const chosen: number[] = [];
  for (;;) {
    let [farthest, most] = [-1, radius];
    for (const [cell, far] of left) if (far > most) [farthest, most] = [cell, far];
    if (farthest < 0) return Uint32Array.from(chosen);
    chosen.push(farthest);
    left.delete(farthest);
    for (const [cell, far] of left) {
      if (far <= radius) left.delete(cell);
      else left.set(cell, Math.min(far, distance(evidence, cell, evidence, farthest)));
    }
  }
}

/** The `count` cells of the highest values, the highest first; equal ones in their order. */
export function highestCells(values: Float32Array, cells: readonly number[], count: number): Uint32Array {
  const sorted = [...cells].sort((a, b) => values[b]! - values[a]! || a - b);
  return Uint32Array.from(sorted.slice(0, count));
}

/** Dimensions between looks at whether a sum is too large already. */
const BLOCK = 16;

/** As {@link distance}, or infinite as soon as it is clear that it is more than `most`. */
function distanceWithin(one: Matrix, a: number, other: Matrix, b: number, most: number): number {
  const { columns } = one;
  const bound = most * most;
  let sum = 0;
  for (let d = 0; d < columns; d++) {
    sum += (one.data[a * columns + d]! - other.data[b * columns + d]!) ** 2;
    if (d % BLOCK === 0 && sum > bound) return Number.POSITIVE_INFINITY;
  }
  return Math.sqrt(sum);
}

/**
 * For each missed patch how near good patches come to it: the highest ratio of a good patch's distance from (other)
 * good ones to its distance from the missed one.
 * @param missed [missed, dims] @param evidence good patches, [cells, dims] @param distances [cells]
 * @param cells those that count @returns [missed]
 */
export function resemblance(
  missed: Matrix,
  evidence: Matrix,
  distances: Float32Array,
  cells: readonly number[],
): Float32Array {
  const ratios = new Float32Array(missed.rows);
  for (let row = 0; row < missed.rows; row++)
    for (const cell of cells) {
      // Farther away it cannot come to a higher ratio.
      const most = distances[cell]! / ratios[row]!;
      const ratio = distances[cell]! / Math.max(distanceWithin(missed, row, evidence, cell, most), 1e-6);
      if (ratio > ratios[row]!) ratios[row] = ratio;
    }
  return ratios;
}
