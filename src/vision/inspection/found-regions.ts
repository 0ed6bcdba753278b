import { highestScore, type InspectedMap } from '../anomaly-map/inspected-map.ts';
import { mapRegions } from '../anomaly-map/map-regions.ts';
import { marginPixels, type OuterMargins } from '../anomaly-map/parse-ignore-outer.ts';
import { applyAffine, invertAffine } from '../math/affine.ts';
import type { Picture, PreparedImage, RawPrediction, Region } from '../types.ts';

export interface RegionLimits {
  readonly rawLimit: number;
  readonly margins: OuterMargins;
  /** Square pixels of the original image. */
  readonly minDetectedArea: number;
}

/** Whether a place of the original lies in an area that the preprocessing ignores. */
function isIgnored(x: number, y: number, { image, inspected, toOriginal }: PreparedImage<Picture>): boolean {
  if (!inspected) return false;
  const [column, row] = applyAffine(invertAffine(toOriginal), x, y);
  return inspected[Math.floor(row) * image.width + Math.floor(column)] === 0;
}

/** Whether the middle of a region that the algorithm found itself is inspected. */
function isInspected(region: Region, margins: OuterMargins, prepared: PreparedImage<Picture>): boolean {
  const { originalWidth, originalHeight } = prepared;
  const { top, right, bottom, left } = marginPixels(margins, originalWidth, originalHeight);
  const [x, y] = [(region.xMin + region.xMax) / 2, (region.yMin + region.yMax) / 2];
  if (isIgnored(x, y, prepared)) return false;
  return x >= left && x <= originalWidth - right && y >= top && y <= originalHeight - bottom;
}

/**
 * What counts of a prediction: an image with any such region is NG.
 * @param inspected the prediction's map, inside the same margins
 */
export function foundRegions(
  { regions }: RawPrediction,
  inspected: InspectedMap,
  prepared: PreparedImage<Picture>,
  { rawLimit, margins, minDetectedArea }: RegionLimits,
): readonly Region[] {
  if (!regions) return mapRegions(inspected, prepared, rawLimit, minDetectedArea);
  return regions.filter(
    (region) => region.rawScore >= rawLimit && region.area >= minDetectedArea && isInspected(region, margins, prepared),
  );
}

/**
 * The image's raw score: the highest that is inspected, of the map and of the regions that an algorithm found itself, as its
 * map may be smoother than what it found them in. So no region has a higher score than its image, and no limit changes it.
 * @param inspected the prediction's map, inside the same margins
 */
export function scoreOfImage(
  { regions = [] }: RawPrediction,
  inspected: InspectedMap,
  prepared: PreparedImage<Picture>,
  margins: OuterMargins,
): number {
  const counting = regions.filter((region) => isInspected(region, margins, prepared));
  return counting.reduce((most, { rawScore }) => Math.max(most, rawScore), highestScore(inspected));
}
