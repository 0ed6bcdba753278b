import { connectedComponents } from '../../src/vision/math/connected-components.ts';
import { median } from '../../src/vision/math/quantile.ts';
import { intersectionOverUnion } from '../../src/vision/math/rectangle.ts';
import { fillPolygon } from '../../src/vision/preprocess/steps/mask.ts';
import type { Rectangle, Region } from '../../src/vision/types.ts';

/** Regions of a defective image that was found NG, and where its defects are. */
export interface MaskedRegions {
  readonly width: number;
  readonly height: number;
  /** [height · width], 0 = good. */
  readonly mask: Uint8Array;
  readonly regions: readonly (Rectangle & Pick<Region, 'outline'>)[];
}

/** How well boxes fit the parts of masks. */
export interface BoxFit {
  /** Median over all parts of the intersection over union of the part's rectangle with the best box. */
  readonly median_iou: number;
  /** The same over the largest part of each image: many masks have specks of a few pixels. */
  readonly median_iou_largest: number;
  /** Share of the mask that lies in any box, mean over the images. */
  readonly share_covered: number;
  /** Median over the images of the intersection over union of all outlines with the mask, in pixels. */
  readonly median_outline_iou: number;
  readonly regions_per_image: number;
}

function fitImage({ width, height, mask, regions }: MaskedRegions) {
  const parts = connectedComponents(new Float32Array(mask.length), mask, height, width);
  const overlaps = parts.map(({ firstColumn, firstRow, lastColumn, lastRow }) => {
    const part = { xMin: firstColumn, yMin: firstRow, xMax: lastColumn + 1, yMax: lastRow + 1 };
    return Math.max(0, ...regions.map((region) => intersectionOverUnion(part, region)));
  });
  const outside = mask.slice();
  for (const { xMin, yMin, xMax, yMax } of regions)
    for (let y = yMin; y < yMax; y++) outside.fill(0, y * width + xMin, y * width + xMax);
  const outlined = new Uint8Array(mask.length);
  for (const { xMin, yMin, xMax, yMax, outline } of regions) {
    const corners =
      outline ??
      ([
        [xMin, yMin],
        [xMax, yMin],
        [xMax, yMax],
        [xMin, yMax],
      ] as const);
    fillPolygon(outlined, width, height, corners);
  }
  let [both, either] = [0, 0];
  for (let pixel = 0; pixel < mask.length; pixel++) {
    if (outlined[pixel] === 1 && mask[pixel] !== 0) both++;
    if (outlined[pixel] === 1 || mask[pixel] !== 0) either++;
  }
  const area = (pixels: Uint8Array): number => pixels.reduce((sum, pixel) => sum + (pixel === 0 ? 0 : 1), 0);
  const largest = parts.reduce((best, { cells }, index) => (cells > parts[best]!.cells ? index : best), 0);
  return {
    overlaps,
    largest: overlaps[largest]!,
    covered: 1 - area(outside) / area(mask),
    outlineOverlap: both / either,
  };
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** @returns undefined without an image that has a part and was found NG */
export function fitBoxes(images: readonly MaskedRegions[]): BoxFit | undefined {
  const found = images.filter(({ mask, regions }) => regions.length > 0 && mask.some((pixel) => pixel !== 0));
  if (found.length === 0) return undefined;
  const fits = found.map(fitImage);
  return {
    median_iou: median(fits.flatMap(({ overlaps }) => overlaps)),
    median_iou_largest: median(fits.map(({ largest }) => largest)),
    share_covered: mean(fits.map(({ covered }) => covered)),
    median_outline_iou: median(fits.map(({ outlineOverlap }) => outlineOverlap)),
    regions_per_image: mean(found.map(({ regions }) => regions.length)),
  };
}
