import { highestScore, type InspectedMap, marginPixels, type OuterMargins } from '../anomaly-map/inspected-map.ts';
import { mapRegions } from '../anomaly-map/map-regions.ts';
import { applyAffine, invertAffine } from '../math/affine.ts';
import type { ImageFrame, RawPrediction, Region } from '../types.ts';

export interface RegionLimits {
  readonly rawLimit: number;
  readonly margins: OuterMargins;
  /** Square pixels of the original image. */
  readonly minDetectedArea: number;
}

/**
 * Regions and score of an image. The score is the highest that is inspected, of the map and of the regions that an
 * algorithm found itself, as its map may be smoother than what it found them in. Where regions are dropped because they
 * are too small, no score at or over the limit counts but those of the regions that remain.
 * @param inspected the prediction's map, inside the same margins
 * @returns regions at or over the limit that are large enough; only with such a region the raw score is so high
 */
export function findRegions(
  { regions: ownRegions }: RawPrediction,
  inspected: InspectedMap,
  frame: ImageFrame,
  { rawLimit, margins, minDetectedArea }: RegionLimits,
) {
  const regions = ownRegions
    ? ownRegions.filter((region) => isInspected(region, margins, frame))
    : mapRegions(inspected, frame, rawLimit);
  const overLimit = regions.filter((region) => region.rawScore >= rawLimit);
  const found = overLimit.filter((region) => region.area >= minDetectedArea);
  const isDropped = found.length < overLimit.length;
  const counting = isDropped
    ? regions.filter((region) => region.rawScore < rawLimit || found.includes(region))
    : regions;
  const mapScore = highestScore(inspected, isDropped ? rawLimit : undefined);
  return { found, rawScore: counting.reduce((most, { rawScore }) => Math.max(most, rawScore), mapScore) };
}

/** Whether the middle of a region that the algorithm found itself is inspected. */
function isInspected(region: Region, margins: OuterMargins, frame: ImageFrame): boolean {
  const { image, inspected, toOriginal, originalWidth, originalHeight } = frame;
  const { top, right, bottom, left } = marginPixels(margins, originalWidth, originalHeight);
  const x = (region.xMin + region.xMax) / 2;
  const y = (region.yMin + region.yMax) / 2;
  if (x < left || x > originalWidth - right || y < top || y > originalHeight - bottom) return false;
  if (!inspected) return true;
  const [column, row] = applyAffine(invertAffine(toOriginal), x, y);
  return inspected[Math.floor(row) * image.width + Math.floor(column)] !== 0;
}
