import { invertAffine } from '../../math/affine.ts';
import { transformRectangle } from '../../math/rectangle.ts';
import type { ImageFrame, LabelledRegion } from '../../types.ts';

/** The regions in pixels of the prepared image instead of the original: the rectangles around their corners there. */
export function toPreparedRegions(regions: readonly LabelledRegion[], { toOriginal }: ImageFrame): LabelledRegion[] {
  const back = invertAffine(toOriginal);
  return regions.map((region) => transformRectangle(region, back));
}

/** Whether any of the region is in the image: a preprocessing step may have cropped it away. */
export const isInImage = ({ xMin, yMin, xMax, yMax }: LabelledRegion, width: number, height: number): boolean =>
  xMax >= 0 && yMax >= 0 && xMin <= width && yMin <= height;

/**
 * Cells whose centre lies in the region, or else the one that the region's middle lies in; none outside of the image.
 * @param grid of features over an image of `width` × `height` pixels
 */
export function cellsInRegion(
  region: LabelledRegion,
  { rows, columns, width, height }: Readonly<Record<'rows' | 'columns' | 'width' | 'height', number>>,
): number[] {
  if (!isInImage(region, width, height)) return [];
  const inside: number[] = [];
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++) {
      const x = ((column + 0.5) * width) / columns;
      const y = ((row + 0.5) * height) / rows;
      if (x >= region.xMin && x <= region.xMax && y >= region.yMin && y <= region.yMax)
        inside.push(row * columns + column);
    }
  if (inside.length > 0) return inside;
  const cellAt = (position: number, size: number, cells: number): number =>
    Math.min(cells - 1, Math.max(0, Math.floor((position / size) * cells)));
  const row = cellAt((region.yMin + region.yMax) / 2, height, rows);
  return [row * columns + cellAt((region.xMin + region.xMax) / 2, width, columns)];
}
