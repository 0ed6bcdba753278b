import { affineArea, applyAffine } from '../math/affine.ts';
import { type Component, connectedComponents } from '../math/connected-components.ts';
import type { ImageFrame, Region } from '../types.ts';
import type { InspectedMap } from './inspected-map.ts';

/** Whole pixels around the places, inside the image and at least one wide. */
function pixelSpan(places: readonly number[], size: number): readonly [number, number] {
  const from = Math.min(Math.max(Math.floor(Math.min(...places) + 1e-6), 0), size - 1);
  const to = Math.min(Math.max(Math.ceil(Math.max(...places) - 1e-6), from + 1), size);
  return [from, to];
}

function toRegion(component: Component, rows: number, columns: number, frame: ImageFrame): Region {
  const { image, toOriginal, originalWidth, originalHeight } = frame;
  const [cellWidth, cellHeight] = [image.width / columns, image.height / rows];
  const xs = [component.firstColumn * cellWidth, (component.lastColumn + 1) * cellWidth];
  const ys = [component.firstRow * cellHeight, (component.lastRow + 1) * cellHeight];
  const corners = ys.flatMap((y) => xs.map((x) => applyAffine(toOriginal, x, y)));
  const originalXs = corners.map(([x]) => x);
  const originalYs = corners.map(([, y]) => y);
  const [xMin, xMax] = pixelSpan(originalXs, originalWidth);
  const [yMin, yMax] = pixelSpan(originalYs, originalHeight);
  const area = component.cells * cellWidth * cellHeight * affineArea(toOriginal);
  return { xMin, yMin, xMax, yMax, area, rawScore: component.peak };
}

/**
 * Connected parts of the map at or over `rawLimit` that are inspected, in pixels of the original image, the highest
 * score first.
 */
export function mapRegions({ map, inspected }: InspectedMap, frame: ImageFrame, rawLimit: number): Region[] {
  const included = new Uint8Array(inspected.length);
  for (let cell = 0; cell < included.length; cell++)
    if (map.data[cell]! >= rawLimit && inspected[cell] === 1) included[cell] = 1;
  return connectedComponents(map.data, included, map.rows, map.columns)
    .map((component) => toRegion(component, map.rows, map.columns, frame))
    .sort((a, b) => b.rawScore - a.rawScore);
}
