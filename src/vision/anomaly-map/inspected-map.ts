import { say } from '../engine-messages.ts';
import { resizeMap } from '../math/resize-map.ts';
import type { Message } from '../message.ts';
import type { ImageFrame, ScoreMap } from '../types.ts';
import { VisionError } from '../vision-error.ts';

/** A score map that is fine enough to find regions in, and its inspected cells. */
export interface InspectedMap {
  readonly map: ScoreMap;
  /** [rows · columns], 1 = inspected. */
  readonly inspected: Uint8Array;
  /** How many cells in each direction stand for one cell of the algorithm's map. */
  readonly refinement: number;
}

type Grid = Pick<ScoreMap, 'rows' | 'columns'>;

/** Refines by an odd number: a fine cell lies on the centre of every coarse cell, and the maximum stays the same. */
function refined({ rows, columns }: Grid): Grid & Pick<InspectedMap, 'refinement'> {
  const cells = rows * columns;
  const refinement = cells <= 10_000 ? 5 : cells <= 60_000 ? 3 : 1;
  return { rows: rows * refinement, columns: columns * refinement, refinement };
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
  const { rows, columns, refinement } = refined(map);
  return { map: resizeMap(map, rows, columns), inspected: inspectedCells(rows, columns, frame, margins), refinement };
}

/** Highest inspected score; with a limit, the highest below it. 0 where nothing is inspected. */
export function highestScore({ map, inspected }: Omit<InspectedMap, 'refinement'>, below?: number): number {
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
