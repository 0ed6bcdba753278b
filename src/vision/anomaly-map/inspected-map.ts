import { say } from '../engine-messages.ts';
import { affineArea, applyAffine } from '../math/affine.ts';
import { type Component, connectedComponents, labelComponents } from '../math/connected-components.ts';
import { resizeMap } from '../math/resize-map.ts';
import type { Message } from '../message.ts';
import type { ImageFrame, Region, ScoreMap } from '../types.ts';
import { VisionError } from '../vision-error.ts';

/** A score map that is fine enough to find regions in, and its inspected cells. */
export interface InspectedMap {
  readonly map: ScoreMap;
  /** [rows · columns], 1 = inspected. */
  readonly inspected: Uint8Array;
}

type Grid = Pick<ScoreMap, 'rows' | 'columns'>;

/** Refines by an odd number: a fine cell lies on the centre of every coarse cell, and the maximum stays the same. */
function refined({ rows, columns }: Grid): Grid {
  const cells = rows * columns;
  if (cells > 60_000) return { rows, columns };
  const factor = cells <= 10_000 ? 5 : 3;
  return { rows: rows * factor, columns: columns * factor };
}

/** Cells whose centre is inspected: inside the margins, the original image, and no ignored area. [rows · columns] */
export function inspectedCells(rows: number, columns: number, frame: ImageFrame, margins: OuterMargins): Uint8Array {
  const { image, toOriginal, originalWidth, originalHeight, inspected } = frame;
  const margin = marginPixels(margins, originalWidth, originalHeight);
  // Pixels outside the original were filled in by a preprocessing step.
  const [right, bottom] = [originalWidth - margin.right, originalHeight - margin.bottom];
  const { a, b, c, d, e, f } = toOriginal;
  const isInside = (row: number, column: number): boolean => {
    const y = ((row + 0.5) * image.height) / rows;
    const x = ((column + 0.5) * image.width) / columns;
    if (inspected && inspected[Math.floor(y) * image.width + Math.floor(x)] === 0) return false;
    const originalX = a * x + b * y + c;
    const originalY = d * x + e * y + f;
    return originalX >= margin.left && originalX <= right && originalY >= margin.top && originalY <= bottom;
  };
  const cells = new Uint8Array(rows * columns);
  const corners = [0, rows - 1].flatMap((row) => [isInside(row, 0), isInside(row, columns - 1)]);
  // Without ignored areas, what lies between four inspected corners is inspected.
  if (!inspected && corners.every(Boolean)) return cells.fill(1);
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++) if (isInside(row, column)) cells[row * columns + column] = 1;
  return cells;
}

/** The cells that {@link inspectMap} marks in a map of this grid without margins; undefined: all of them. */
export function inspectionOf(grid: Grid, frame: ImageFrame): Uint8Array | undefined {
  const { rows, columns } = refined(grid);
  const cells = inspectedCells(rows, columns, frame, NO_MARGINS);
  return cells.includes(0) ? cells : undefined;
}

/** Raw score of an image by its map. @param inspection by {@link inspectionOf} */
export function inspectedScore(map: ScoreMap, inspection: Uint8Array | undefined): number {
  const { rows, columns } = refined(map);
  const inspected = inspection ?? new Uint8Array(rows * columns).fill(1);
  return highestScore({ map: resizeMap(map, rows, columns), inspected });
}

export function inspectMap(map: ScoreMap, frame: ImageFrame, margins: OuterMargins): InspectedMap {
  const { rows, columns } = refined(map);
  return { map: resizeMap(map, rows, columns), inspected: inspectedCells(rows, columns, frame, margins) };
}

/** Highest inspected score; with a limit, the highest below it. 0 where nothing is inspected. */
export function highestScore({ map, inspected }: InspectedMap, below?: number): number {
  let highest = 0;
  for (let cell = 0; cell < inspected.length; cell++) {
    const score = map.data[cell]!;
    if (score > highest && inspected[cell] === 1 && (below === undefined || score < below)) highest = score;
  }
  return highest;
}

interface Length {
  readonly value: number;
  readonly unit: 'px' | '%';
}

/** Margins of the original image that are not inspected. */
export type OuterMargins = Readonly<Record<'top' | 'right' | 'bottom' | 'left', Length>>;

const ZERO: Length = { value: 0, unit: 'px' };
export const NO_MARGINS: OuterMargins = { top: ZERO, right: ZERO, bottom: ZERO, left: ZERO };

const refuse = (text: string, reason: Message): VisionError =>
  new VisionError('invalid_value', say('ignore-outer.invalid', { text, reason }));

function parseLength(word: string, text: string): Length {
  const [, digits = '', unit = ''] = /^(\d+(?:\.\d+)?)(px|%)?$/.exec(word) ?? [];
  const value = Number(digits);
  if (digits === '' || (unit === '' && value !== 0)) throw refuse(text, say('ignore-outer.not-a-length', { word }));
  if (value > 100_000) throw refuse(text, say('ignore-outer.too-wide', { word }));
  return { value, unit: unit === '%' ? '%' : 'px' };
}

/**
 * `none` or one to four lengths in CSS's order: all; top and bottom, sides; top, sides, bottom; clockwise from the top.
 * @throws VisionError `invalid_value`
 */
export function parseIgnoreOuter(text: string): OuterMargins {
  const words = text.trim().toLowerCase().split(/\s+/);
  if (words.length === 1 && words[0] === 'none') return NO_MARGINS;
  if (text.trim() === '' || words.length > 4)
    throw refuse(text, say('ignore-outer.count', { count: text.trim() === '' ? 0 : words.length }));
  const [top = ZERO, right = top, bottom = top, left = right] = words.map((word) => parseLength(word, text));
  // Margins in pixels depend on the image; see `leavesNothing`.
  const percentOf = ({ value, unit }: Length): number => (unit === '%' ? value : 0);
  const vertical = percentOf(top) + percentOf(bottom);
  if (vertical >= 100) throw refuse(text, say('ignore-outer.nothing-between-top-and-bottom', { percent: vertical }));
  const horizontal = percentOf(right) + percentOf(left);
  if (horizontal >= 100) throw refuse(text, say('ignore-outer.nothing-between-sides', { percent: horizontal }));
  return { top, right, bottom, left };
}

/** Whether less than a pixel is left between the margins of an image of this size. */
export function leavesNothing(margins: OuterMargins, width: number, height: number): boolean {
  const { top, right, bottom, left } = marginPixels(margins, width, height);
  return width - left - right < 1 || height - top - bottom < 1;
}

export function marginPixels({ top, right, bottom, left }: OuterMargins, width: number, height: number) {
  const pixels = ({ value, unit }: Length, size: number): number => (unit === '%' ? (value / 100) * size : value);
  return {
    top: pixels(top, height),
    right: pixels(right, width),
    bottom: pixels(bottom, height),
    left: pixels(left, width),
  };
}

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

/** A region reaches down to this share of the limit, and to this share of its own peak. */
const [OF_LIMIT, OF_PEAK] = [0.9, 0.5];

/** Marks the inspected cells at or over the limit of their label. [rows · columns] @param labels absent: all are 0 */
function cellsOver({ map, inspected }: InspectedMap, limits: readonly number[], labels?: Int32Array): Uint8Array {
  const cells = new Uint8Array(inspected.length);
  for (let cell = 0; cell < cells.length; cell++)
    if (inspected[cell] === 1 && map.data[cell]! >= limits[labels?.[cell] ?? 0]!) cells[cell] = 1;
  return cells;
}

/**
 * Connected inspected parts of the map with a score at or over `rawLimit`, in pixels of the original image, the highest
 * score first. A part that begins at the limit shows too little of a defect, so each one is grown from there to a lower
 * limit (hysteresis, after Canny 1986), and a strong one is cut off at half of its peak.
 */
export function mapRegions(inspectedMap: InspectedMap, frame: ImageFrame, rawLimit: number): Region[] {
  const { rows, columns, data } = inspectedMap.map;
  // Most images: nothing to label.
  if (!cellsOver(inspectedMap, [rawLimit]).includes(1)) return [];
  const lower = OF_LIMIT * rawLimit;
  const grown = cellsOver(inspectedMap, [lower]);
  const peaks = connectedComponents(data, grown, rows, columns).map(({ peak }) => peak);
  const { labels } = labelComponents(grown, rows, columns);
  const limits = [Number.POSITIVE_INFINITY, ...peaks.map((peak) => Math.max(lower, OF_PEAK * peak))];
  const parts = cellsOver(inspectedMap, limits, labels);
  return connectedComponents(data, parts, rows, columns)
    .filter(({ peak }) => peak >= rawLimit)
    .map((component) => toRegion(component, rows, columns, frame))
    .sort((a, b) => b.rawScore - a.rawScore);
}
