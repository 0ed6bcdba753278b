import { applyAffine } from '../math/affine.ts';
import type { ImageFrame, Region } from '../types.ts';

/** Cells of a grid that lies over a picture. `inside` is [rows · columns], 1 = belongs to the shape. */
export interface GridShape {
  /** Place of the grid's first corner, and size of a cell, in pixels of the picture. */
  readonly left: number;
  readonly top: number;
  readonly cellWidth: number;
  readonly cellHeight: number;
  readonly rows: number;
  readonly columns: number;
  readonly inside: Uint8Array;
}

/** In cells of a grid. */
type Point = readonly [x: number, y: number];

/** Right, down, left, up. */
const STEPS: readonly Point[] = [
  [1, 0],
  [0, 1],
  [-1, 0],
  [0, -1],
];

/** The corners of the cells' outer border, clockwise, from the first cell of the first row. */
function walkBorder({ rows, columns, inside }: GridShape): Point[] {
  const has = (x: number, y: number): boolean =>
    x >= 0 && y >= 0 && x < columns && y < rows && inside[y * columns + x] === 1;
  const first = inside.indexOf(1);
  const start: Point = [first % columns, Math.floor(first / columns)];
  const corners: Point[] = [];
  let [x, y] = start;
  let heading = 0;
  do {
    corners.push([x, y]);
    const [dx, dy] = STEPS[heading]!;
    x += dx;
    y += dy;
    // The cell ahead on the left, and the one ahead on the right. Cells that touch at a corner belong together.
    const [leftX, leftY] = [x + (dx + dy - 1) / 2, y + (dy - dx - 1) / 2];
    const [rightX, rightY] = [x + (dx - dy - 1) / 2, y + (dy + dx - 1) / 2];
    if (has(leftX, leftY)) heading = (heading + 3) % 4;
    else if (!has(rightX, rightY)) heading = (heading + 1) % 4;
  } while (x !== start[0] || y !== start[1] || heading !== 0);
  return corners;
}

/** Leaves out corners that lie within `tolerance` of the line between those that stay (Douglas and Peucker 1973). */
function simplify(line: readonly Point[], tolerance: number): Point[] {
  const [first, last] = [line[0]!, line.at(-1)!];
  const [dx, dy] = [last[0] - first[0], last[1] - first[1]];
  const length = Math.hypot(dx, dy);
  let [farthest, distance] = [0, tolerance];
  for (let at = 1; at < line.length - 1; at++) {
    const [x, y] = [line[at]![0] - first[0], line[at]![1] - first[1]];
    const off = length === 0 ? Math.hypot(x, y) : Math.abs(dx * y - dy * x) / length;
    if (off > distance) [farthest, distance] = [at, off];
  }
  if (farthest === 0) return [first, last];
  return [
    ...simplify(line.slice(0, farthest + 1), tolerance).slice(0, -1),
    ...simplify(line.slice(farthest), tolerance),
  ];
}

/** Less than a cell: the steps of a slanted border go, its course stays. */
const TOLERANCE = 0.75;

/**
 * @param shape of one part, 8-connected; holes in it are not seen
 * @returns the corners of its outline in pixels of the picture, clockwise
 */
export function traceOutline(shape: GridShape): Point[] {
  const border = walkBorder(shape);
  // A closed line is simplified in two halves, between its first corner and the one that is farthest from it.
  const [startX, startY] = border[0]!;
  const reach = border.map(([x, y]) => Math.hypot(x - startX, y - startY));
  const middle = reach.reduce((farthest, distance, at) => (distance > reach[farthest]! ? at : farthest), 0);
  const halves = [border.slice(0, middle + 1), [...border.slice(middle), border[0]!]];
  const corners = halves.flatMap((half) => simplify(half, TOLERANCE).slice(0, -1));
  return (corners.length < 3 ? border : corners).map(([x, y]) => [
    shape.left + x * shape.cellWidth,
    shape.top + y * shape.cellHeight,
  ]);
}

/** Whole pixels around the places, inside the image and at least one wide. */
function pixelSpan(places: readonly number[], size: number): readonly [number, number] {
  const from = Math.min(Math.max(Math.floor(Math.min(...places) + 1e-6), 0), size - 1);
  const to = Math.min(Math.max(Math.ceil(Math.max(...places) - 1e-6), from + 1), size);
  return [from, to];
}

/** Outline and rectangle in the original image. @param shape in pixels that the frame's `toOriginal` starts from */
export function placeOf(shape: GridShape, { toOriginal, originalWidth, originalHeight }: ImageFrame) {
  const corners = traceOutline(shape).map(([x, y]) => applyAffine(toOriginal, x, y));
  const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
  const [xMin, xMax] = pixelSpan(xs, originalWidth);
  const [yMin, yMax] = pixelSpan(ys, originalHeight);
  const within = (place: number, size: number): number => Math.round(Math.min(Math.max(place, 0), size) * 10) / 10;
  const outline = corners.map(([x, y]) => [within(x, originalWidth), within(y, originalHeight)] as const);
  return { xMin, xMax, yMin, yMax, outline } satisfies Partial<Region>;
}
