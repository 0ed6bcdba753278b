import { inspectMap } from '../../anomaly-map/inspected-map.ts';
import { mapRegions } from '../../anomaly-map/map-regions.ts';
import type { MapScorer } from '../../anomaly-map/map-scorer.ts';
import { NO_MARGINS } from '../../anomaly-map/parse-ignore-outer.ts';
import type { PatchFeatures } from '../../backbone/patch-extractor.ts';
import { resizeMap } from '../../math/resize-map.ts';
import type { ImageFrame, PreparedImage, RawPrediction, Region, ScoreMap } from '../../types.ts';
import { cellsInRegion, toPreparedRegions } from '../supervised/labelled-regions.ts';
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

/** What the network says of an image. */
export interface JudgedCells {
  readonly defects: readonly FoundDefect[];
  /** Of every cell of the network: the probability of its likeliest class. */
  readonly heat: ScoreMap;
}

export interface JudgedImage extends JudgedCells {
  /** Of every patch: the distance from good patches. */
  readonly distances: ScoreMap;
}

/** What distances say of an image, 1 being their limit, and what was taught. */
export interface StrangeMap {
  readonly map: ScoreMap;
  /** See `CorrectedScores`. */
  readonly labels?: readonly (number | null | undefined)[];
}

/** The probability of every cell's likeliest class. @param cells [cells, 1 + classes + 4] */
export function heatOf({ rows, columns, patches }: PatchFeatures): ScoreMap {
  const data = Float32Array.from({ length: rows * columns }, (_, cell) =>
    patches.data
      .subarray(cell * patches.columns + 1, (cell + 1) * patches.columns - 4)
      .reduce((a, b) => Math.max(a, b)),
  );
  return { rows, columns, data };
}

export const judgeCells = (cells: PatchFeatures, frame: ImageFrame): JudgedCells => ({
  defects: findDefects(cells.patches, cells, frame),
  heat: heatOf(cells),
});

export async function judgeImage(
  features: PatchFeatures,
  prepared: PreparedImage,
  { scorer, finder }: Judge,
): Promise<JudgedImage> {
  const cells = await finder.find(prepared.image);
  return { ...judgeCells(cells, prepared), distances: await scorer.score(features) };
}

const touch = (a: Region, b: Region): boolean =>
  a.xMin < b.xMax && b.xMin < a.xMax && a.yMin < b.yMax && b.yMin < a.yMax;

/** Class of the missed defect that the region's worst place looks like; null without a class, undefined where it looks like none. */
function taughtKind(
  region: Region,
  { map, labels: kinds }: StrangeMap,
  frame: PreparedImage,
): number | null | undefined {
  if (!kinds) return undefined;
  const { width, height } = frame.image;
  const [prepared] = toPreparedRegions([{ ...region, label: null }], frame);
  if (!prepared) return undefined;
  const cells = cellsInRegion(prepared, { rows: map.rows, columns: map.columns, width, height });
  if (cells.length === 0) return undefined;
  return kinds[cells.reduce((best, cell) => (map.data[cell]! > map.data[best]! ? cell : best))];
}

/**
 * The known regions, and the unknown ones that none of those is certain of. What looks like a missed defect makes the
 * known region that it touches as certain as it is itself.
 */
function joinRegions(
  known: readonly Region[],
  unknown: readonly Region[],
  kindOf: (region: Region) => number | null | undefined,
): Region[] {
  const joined = [...known];
  for (const region of unknown) {
    const kind = kindOf(region);
    const named = kind === undefined || kind === null ? {} : { label: kind };
    const touched = joined.flatMap((one, at) =>
      at < known.length && one.rawScore >= 1 && touch(region, one) ? [at] : [],
    );
    const [best] = touched.sort((a, b) => joined[b]!.rawScore - joined[a]!.rawScore);
    if (best === undefined) joined.push({ ...region, ...named });
    else if (kind !== undefined && region.rawScore > joined[best]!.rawScore)
      joined[best] = { ...joined[best]!, rawScore: region.rawScore, ...named };
  }
  return joined;
}

/** Known defects with their class, and what is far from good but none of them, without one; 1 is the limit for both. */
export function describeImage(
  { defects, heat }: JudgedCells,
  strange: StrangeMap,
  frame: PreparedImage,
  labels: readonly (number | null)[],
  limits: Limits,
): RawPrediction {
  const known = defects.map((defect) =>
    toOriginalRegion(defect, frame, defect.probability / limits.probability, labels[defect.kind] ?? null),
  );
  const unknown = mapRegions(inspectMap(strange.map, frame, NO_MARGINS), frame, 1, 0);
  const regions = joinRegions(known, unknown, (region) => taughtKind(region, strange, frame));
  const map = resizeMap(strange.map, heat.rows, heat.columns);
  map.data.forEach((value, cell) => {
    map.data[cell] = Math.max(value, heat.data[cell]! / limits.probability);
  });
  return { map, regions: regions.sort((a, b) => b.rawScore - a.rawScore) };
}
