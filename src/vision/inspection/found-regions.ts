import type { InspectedMap } from '../heatmaps/inspected-map.ts';
import { mapRegions } from '../heatmaps/map-regions.ts';
import type { PreparedImage, RawPrediction, Region } from '../types.ts';
import { marginPixels, type OuterMargins } from './parse-ignore-outer.ts';

export interface RegionLimits {
  readonly rawLimit: number;
  readonly margins: OuterMargins;
  /** Square pixels of the original image. */
  readonly minDetectedArea: number;
}

/** Whether the middle of a region that the algorithm found itself is inspected. */
function isInspected(region: Region, margins: OuterMargins, { originalWidth, originalHeight }: PreparedImage): boolean {
  const { top, right, bottom, left } = marginPixels(margins, originalWidth, originalHeight);
  const [x, y] = [(region.xMin + region.xMax) / 2, (region.yMin + region.yMax) / 2];
  return x >= left && x <= originalWidth - right && y >= top && y <= originalHeight - bottom;
}

/**
 * What counts of a prediction: an image with any such region is NG.
 * @param inspected the prediction's map, inside the same margins
 */
export function foundRegions(
  { regions }: RawPrediction,
  inspected: InspectedMap,
  prepared: PreparedImage,
  { rawLimit, margins, minDetectedArea }: RegionLimits,
): readonly Region[] {
  if (!regions) return mapRegions(inspected, prepared, rawLimit, minDetectedArea);
  return regions.filter(
    (region) => region.rawScore >= rawLimit && region.area >= minDetectedArea && isInspected(region, margins, prepared),
  );
}
