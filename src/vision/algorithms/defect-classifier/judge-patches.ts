import type { MapScorer } from '../../anomaly-map/map-scorer.ts';
import type { PatchFeatures } from '../../backbone/patch-extractor.ts';
import type { Matrix } from '../../math/matrix.ts';
import type { ScoreMap } from '../../types.ts';
import type { PatchNetwork } from '../supervised/patch-network.ts';

/** Cells at this share of the map's highest score or more are the defect that is named. */
const DEFECT_SHARE = 0.7;

/** Distances from good patches, and the probability of every class (the first is good). [patches, classes] */
export interface ClassifiedPatches {
  readonly distances: ScoreMap;
  readonly classes: Matrix;
}

export async function judgePatches(
  features: PatchFeatures,
  scorer: MapScorer,
  network: PatchNetwork,
): Promise<ClassifiedPatches> {
  return { distances: await scorer.score(features), classes: await network.probabilities(features.patches) };
}

/**
 * What distances are multiplied by: more where a patch looks like a known defect, less where it looks good, by up to
 * half at a weight of 1. undefined at 0: nothing changes. [patches]
 */
export function defectFactors({ rows, columns, data }: Matrix, weight: number): Float64Array | undefined {
  if (weight === 0) return undefined;
  return Float64Array.from({ length: rows }, (_, patch) => {
    const defect = 1 - data[patch * columns]!;
    return 1 + weight * (defect - 0.5);
  });
}

/** Distances with {@link defectFactors}. */
export function blendMap({ distances, classes }: ClassifiedPatches, weight: number): ScoreMap {
  const factors = defectFactors(classes, weight);
  return factors
    ? { ...distances, data: distances.data.map((distance, cell) => distance * factors[cell]!) }
    : distances;
}

/** The most anomalous cells. */
export function defectCells({ data }: ScoreMap): number[] {
  let highest = 0;
  for (const value of data) highest = Math.max(highest, value);
  return [...data.keys()].filter((cell) => data[cell]! >= DEFECT_SHARE * highest);
}

/** Index of the likeliest defect class (1 or more) over the most anomalous cells, weighted by their score. */
export function likeliestDefect(map: ScoreMap, { columns, data }: Matrix): number {
  const votes = new Float64Array(columns);
  for (const cell of defectCells(map))
    for (let kind = 1; kind < columns; kind++) votes[kind]! += map.data[cell]! * data[cell * columns + kind]!;
  return votes.indexOf(Math.max(...votes.subarray(1)), 1);
}
