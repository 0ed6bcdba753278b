import type { MapScorer } from '../../components/map-scorer.ts';
import type { PatchFeatures } from '../../features/patch-extractor.ts';
import { inspectMap } from '../../heatmaps/inspected-map.ts';
import { mapRegions } from '../../heatmaps/map-regions.ts';
import { NO_MARGINS } from '../../inspection/parse-ignore-outer.ts';
import { resizeMap } from '../../math/resize-map.ts';
import type { PreparedImage, RawPrediction, Region, ScoreMap } from '../../types.ts';
import type { CellFinder } from './detector-network.ts';
import { type FoundDefect, findDefects, toOriginalRegion } from './find-defects.ts';

/** What is learned from a part of the images. */
export interface Judge {
  readonly scorer: MapScorer;
  readonly finder: CellFinder;
}

/** What counts as 1 on the scale of raw scores. */
export interface Limits {
  readonly probability: number;
  readonly distance: number;
}

export interface JudgedImage {
  readonly defects: readonly FoundDefect[];
  /** Of every cell of the network: the probability of its likeliest class. */
  readonly heat: ScoreMap;
  /** Of every patch: the distance from good patches. */
  readonly distances: ScoreMap;
}

export async function judgeImage(
  features: PatchFeatures,
  prepared: PreparedImage,
  { scorer, finder }: Judge,
): Promise<JudgedImage> {
  const { rows, columns, patches } = await finder.find(prepared.image);
  const heat = Float32Array.from({ length: rows * columns }, (_, cell) =>
    patches.data
      .subarray(cell * patches.columns + 1, (cell + 1) * patches.columns - 4)
      .reduce((a, b) => Math.max(a, b)),
  );
  return {
    defects: findDefects(patches, { rows, columns }, prepared),
    heat: { rows, columns, data: heat },
    distances: await scorer.score(features),
  };
}

const touch = (a: Region, b: Region): boolean =>
  a.xMin < b.xMax && b.xMin < a.xMax && a.yMin < b.yMax && b.yMin < a.yMax;

/** Known defects with their class, and what is far from good but none of them, without one; 1 is the limit for both. */
export function describeImage(
  { defects, heat, distances }: JudgedImage,
  frame: PreparedImage,
  labels: readonly (number | null)[],
  limits: Limits,
): RawPrediction {
  const strange = { ...distances, data: distances.data.map((distance) => distance / limits.distance) };
  const known = defects.map((defect) =>
    toOriginalRegion(defect, frame, defect.probability / limits.probability, labels[defect.kind] ?? null),
  );
  const certain = known.filter(({ rawScore }) => rawScore >= 1);
  const unknown = mapRegions(inspectMap(strange, frame, NO_MARGINS), frame, 1, 0);
  const regions = [...known, ...unknown.filter((region) => !certain.some((other) => touch(region, other)))];
  const map = resizeMap(strange, heat.rows, heat.columns);
  map.data.forEach((value, cell) => {
    map.data[cell] = Math.max(value, heat.data[cell]! / limits.probability);
  });
  return { map, regions: regions.sort((a, b) => b.rawScore - a.rawScore) };
}
