import type { MapScorer } from '../../components/map-scorer.ts';
import type { PatchNetwork } from '../../components/patch-network.ts';
import type { PatchFeatures } from '../../features/patch-extractor.ts';
import type { Matrix } from '../../onnx/open-matrix-product.ts';
import type { ScoreMap } from '../../types.ts';

/** Cells at this share of the map's highest score or more are the defect that is named. */
const DEFECT_SHARE = 0.7;

/** Distances from good patches, and the probability of every class (the first is good). [patches, classes] */
export interface JudgedPatches {
  readonly distances: ScoreMap;
  readonly classes: Matrix;
}

export async function judgePatches(
  features: PatchFeatures,
  scorer: MapScorer,
  network: PatchNetwork,
): Promise<JudgedPatches> {
  return { distances: await scorer.score(features), classes: await network.probabilities(features.patches) };
}

/**
 * Distances raised where a patch looks like a known defect and lowered where it looks good: by up to half at a weight
 * of 1, not at all at 0.
 */
export function blendMap({ distances, classes }: JudgedPatches, weight: number): ScoreMap {
  if (weight === 0) return distances;
  const data = distances.data.map((distance, cell) => {
    const defect = 1 - classes.data[cell * classes.columns]!;
    return distance * (1 + weight * (defect - 0.5));
  });
  return { ...distances, data };
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
