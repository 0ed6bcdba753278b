import { applyAffine, invertAffine } from '../../math/affine.ts';
import type { ImageFrame, LabelledRegion } from '../../types.ts';

/** The regions in pixels of the prepared image instead of the original: the rectangles around their corners there. */
export function toPreparedRegions(regions: readonly LabelledRegion[], { toOriginal }: ImageFrame): LabelledRegion[] {
  const back = invertAffine(toOriginal);
  return regions.map(({ xMin, yMin, xMax, yMax, label }) => {
    const corners = [xMin, xMax].flatMap((x) => [yMin, yMax].map((y) => applyAffine(back, x, y)));
    const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
    return { xMin: Math.min(...xs), yMin: Math.min(...ys), xMax: Math.max(...xs), yMax: Math.max(...ys), label };
  });
}

/** A grid of features over an image of this many pixels. */
export interface GridFrame {
  readonly rows: number;
  readonly columns: number;
  readonly width: number;
  readonly height: number;
}

/** Whether any of the region is in the image: a preprocessing step may have cropped it away. */
export const isInImage = ({ xMin, yMin, xMax, yMax }: LabelledRegion, width: number, height: number): boolean =>
  xMax >= 0 && yMax >= 0 && xMin <= width && yMin <= height;

/** Cells whose centre lies in the region, or else the one that the region's middle lies in; none outside of the image. */
export function cellsInRegion(region: LabelledRegion, { rows, columns, width, height }: GridFrame): number[] {
  if (!isInImage(region, width, height)) return [];
  const inside: number[] = [];
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++) {
      const [x, y] = [((column + 0.5) * width) / columns, ((row + 0.5) * height) / rows];
      if (x >= region.xMin && x <= region.xMax && y >= region.yMin && y <= region.yMax)
        inside.push(row * columns + column);
    }
  if (inside.length > 0) return inside;
  const place = (at: number, size: number, cells: number): number =>
    Math.min(cells - 1, Math.max(0, Math.floor((at / size) * cells)));
  const row = place((region.yMin + region.yMax) / 2, height, rows);
  return [row * columns + place((region.xMin + region.xMax) / 2, width, columns)];
}
