import type { Matrix } from '../../math/matrix.ts';
import type { ScoreMap } from '../../types.ts';

/** Cells with at least this share of the map's highest score are the defect. */
const DEFECT_SHARE = 0.7;

/**
 * Factors of the distances: above 1 where a patch looks like a known defect, below 1 where it looks good; from 0.5 to
 * 1.5 at a weight of 1.
 * @param classes probabilities of good and of each defect class, [patches, classes]
 * @returns [patches]; undefined at a weight of 0, which changes nothing
 */
export function defectFactors({ rows, columns, data }: Matrix, weight: number): Float64Array | undefined {
  if (weight === 0) return undefined;
  return Float64Array.from({ length: rows }, (_, patch) => {
    const defect = 1 - data[patch * columns]!;
    return 1 + weight * (defect - 0.5);
  });
}

/** Distances multiplied by {@link defectFactors}. */
export function weightDistances(distances: ScoreMap, classes: Matrix, weight: number): ScoreMap {
  const factors = defectFactors(classes, weight);
  if (!factors) return distances;
  return { ...distances, data: distances.data.map((distance, cell) => distance * factors[cell]!) };
}

/** The most anomalous cells. */
export function defectCells({ data }: ScoreMap): number[] {
  let highest = 0;
  for (const value of data) highest = Math.max(highest, value);
  return [...data.keys()].filter((cell) => data[cell]! >= DEFECT_SHARE * highest);
}

/** Index of the most probable defect class, 1 or more, over the most anomalous cells, weighted by their scores. */
export function likeliestDefect(map: ScoreMap, { columns, data }: Matrix): number {
  const votes = new Float64Array(columns);
  for (const cell of defectCells(map))
    for (let index = 1; index < columns; index++) votes[index]! += map.data[cell]! * data[cell * columns + index]!;
  return votes.indexOf(Math.max(...votes.subarray(1)), 1);
}
