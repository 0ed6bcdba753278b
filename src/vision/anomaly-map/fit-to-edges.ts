import { boundsOf } from '../math/cell-bounds.ts';
import { labelComponents } from '../math/connected-components.ts';
import type { RgbImage } from '../types.ts';

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

/** A region of a map that covers the picture, and the cells that it may grow to. */
export interface MapShape {
  readonly rows: number;
  readonly columns: number;
  readonly region: Int32Array;
  /** Holds the region. */
  readonly grown: Int32Array;
}

/** Longer side of the part of the picture that is looked at, after reduction. */
const LONGEST_SIDE = 80;
/** Room around the grown cells, as a share of their longer side. */
const ROOM = 1 / 3;
/** Levels of brightness that are tried: shares of the grown cells that lie beyond them, and half way between the ends. */
const SHARES = [0.5, 0.4, 0.3, 0.2, 0.1, 0.05];
const ENDS = 0.02;
/** Between two neighbours lies an edge if they differ so many times as much as neighbours do on average. */
const EDGE = 2;
const FEWEST_PIXELS = 6;

type Grid = Omit<GridShape, 'inside'>;

/** The part of the picture around the grown cells, in whole pixels, reduced by a whole number. */
function gridAround({ rows, columns, grown }: MapShape, { width, height }: RgbImage): Grid {
  const around = boundsOf(grown, columns);
  const [cellWidth, cellHeight] = [width / columns, height / rows];
  const room = ROOM * Math.max((around.bottom - around.top) * cellHeight, (around.right - around.left) * cellWidth);
  const left = Math.max(0, Math.floor(around.left * cellWidth - room));
  const top = Math.max(0, Math.floor(around.top * cellHeight - room));
  const right = Math.min(width, Math.ceil(around.right * cellWidth + room));
  const bottom = Math.min(height, Math.ceil(around.bottom * cellHeight + room));
  const step = Math.max(1, Math.ceil(Math.max(right - left, bottom - top) / LONGEST_SIDE));
  const size = { rows: Math.ceil((bottom - top) / step), columns: Math.ceil((right - left) / step) };
  return { left, top, cellWidth: step, cellHeight: step, ...size };
}

/** Luma (ITU-R BT.601) of the picture, the mean over each cell. [rows · columns] */
function brightnessOf({ left, top, cellWidth: step, rows, columns }: Grid, { width, height, data }: RgbImage) {
  const out = new Float32Array(rows * columns);
  for (let row = 0, cell = 0; row < rows; row++) {
    const bottom = Math.min(top + (row + 1) * step, height);
    for (let column = 0; column < columns; column++, cell++) {
      const right = Math.min(left + (column + 1) * step, width);
      let sum = 0;
      let count = 0;
      for (let y = top + row * step; y < bottom; y++)
        for (let x = left + column * step, at = 3 * (y * width + x); x < right; x++, at += 3, count++)
          sum += 0.299 * data[at]! + 0.587 * data[at + 1]! + 0.114 * data[at + 2]!;
      out[cell] = sum / count;
    }
  }
  return out;
}

/** Binomial mean over 3×3 cells, which go on beyond the border. [rows · columns] */
function smoothed(values: Float32Array, { rows, columns }: Grid): Float32Array {
  const out = new Float32Array(values.length);
  for (let row = 0, cell = 0; row < rows; row++) {
    const above = Math.max(row - 1, 0) * columns;
    const here = row * columns;
    const below = Math.min(row + 1, rows - 1) * columns;
    const across = (column: number): number =>
      values[above + column]! + 2 * values[here + column]! + values[below + column]!;
    for (let column = 0; column < columns; column++, cell++)
      out[cell] =
        (across(Math.max(column - 1, 0)) + 2 * across(column) + across(Math.min(column + 1, columns - 1))) / 16;
  }
  return out;
}

/** Where edges lie: 1 between a cell and the next one of its row, 2 between it and the one below, 3 both. */
function findEdges(values: Float32Array, { rows, columns }: Grid): Uint8Array {
  const across = new Float32Array(values.length);
  const down = new Float32Array(values.length);
  let sum = 0;
  for (let row = 0, cell = 0; row < rows; row++)
    for (let column = 0; column < columns; column++, cell++) {
      if (column < columns - 1) across[cell] = Math.abs(values[cell + 1]! - values[cell]!);
      if (row < rows - 1) down[cell] = Math.abs(values[cell + columns]! - values[cell]!);
      sum += across[cell]! + down[cell]!;
    }
  const limit = (EDGE * sum) / (rows * (columns - 1) + (rows - 1) * columns);
  const edges = new Uint8Array(values.length);
  for (let cell = 0; cell < edges.length; cell++)
    edges[cell] = (across[cell]! > limit ? 1 : 0) + (down[cell]! > limit ? 2 : 0);
  return edges;
}

/** Cells of the map, as those of the grid whose middle lies in them. [rows · columns] */
function onGrid(cells: Int32Array, map: MapShape, grid: Grid, picture: RgbImage): Uint8Array {
  const marked = new Uint8Array(map.rows * map.columns);
  for (const cell of cells) marked[cell] = 1;
  const inside = new Uint8Array(grid.rows * grid.columns);
  const place = (middle: number, size: number, count: number): number =>
    Math.min(Math.floor((middle * count) / size), count - 1);
  for (let row = 0, cell = 0; row < grid.rows; row++) {
    const mapRow = place(grid.top + (row + 0.5) * grid.cellHeight, picture.height, map.rows);
    for (let column = 0; column < grid.columns; column++, cell++) {
      const mapColumn = place(grid.left + (column + 0.5) * grid.cellWidth, picture.width, map.columns);
      inside[cell] = marked[mapRow * map.columns + mapColumn]!;
    }
  }
  return inside;
}

/**
 * How well each component fits: its intersection over union with the region, plus the share of its border on edges.
 * @param region [rows · columns] @param edges by {@link findEdges}
 */
function rateComponents(
  { labels, areas }: ReturnType<typeof labelComponents>,
  { rows, columns }: Grid,
  region: Uint8Array,
  edges: Uint8Array,
): number[] {
  const overlaps = new Uint32Array(areas.length + 1);
  const borders = new Uint32Array(areas.length + 1);
  const onEdges = new Uint32Array(areas.length + 1);
  const meet = (one: number, other: number, isEdge: number): void => {
    if (one === other) return;
    borders[one]!++;
    borders[other]!++;
    onEdges[one]! += isEdge;
    onEdges[other]! += isEdge;
  };
  let regionArea = 0;
  for (let row = 0, cell = 0; row < rows; row++)
    for (let column = 0; column < columns; column++, cell++) {
      const label = labels[cell]!;
      regionArea += region[cell]!;
      overlaps[label]! += region[cell]!;
      if (column < columns - 1) meet(label, labels[cell + 1]!, edges[cell]! & 1);
      if (row < rows - 1) meet(label, labels[cell + columns]!, edges[cell]! >> 1);
    }
  return areas.map((area, at) => {
    const overlap = overlaps[at + 1]!;
    return overlap / (area + regionArea - overlap) + onEdges[at + 1]! / Math.max(1, borders[at + 1]!);
  });
}

/** The part of the grid around the cells, with one cell more on each side. @param cells 1 = belongs to it */
function gridWithin(cells: Uint8Array, grid: Grid) {
  const around = boundsOf(
    Array.from(cells.keys()).filter((cell) => cells[cell] === 1),
    grid.columns,
  );
  const top = Math.max(around.top - 1, 0);
  const left = Math.max(around.left - 1, 0);
  const rows = Math.max(0, Math.min(around.bottom + 1, grid.rows) - top);
  const columns = Math.max(0, Math.min(around.right + 1, grid.columns) - left);
  const { cellWidth, cellHeight } = grid;
  const part: Grid = {
    left: grid.left + left * cellWidth,
    top: grid.top + top * cellHeight,
    cellWidth,
    cellHeight,
    rows,
    columns,
  };
  /** [grid.rows · grid.columns] to [rows · columns] */
  const crop = <Values extends Uint8Array | Float32Array>(values: Values): Values => {
    const out = values.slice(0, rows * columns) as Values;
    for (let row = 0; row < rows; row++) {
      const from = (top + row) * grid.columns + left;
      out.set(values.subarray(from, from + columns), row * columns);
    }
    return out;
  };
  return { part, crop };
}

/**
 * Looks for what a person would outline: among the parts of the grown cells that are brighter or darker than their
 * surroundings, the one that fits the region and whose border lies on edges of the picture.
 * @param map over the whole picture
 * @returns undefined where no part fits better than the region itself
 */
export function fitToEdges(map: MapShape, picture: RgbImage): GridShape | undefined {
  const around = gridAround(map, picture);
  const everywhere = smoothed(brightnessOf(around, picture), around);
  const { part: grid, crop } = gridWithin(onGrid(map.grown, map, around, picture), around);
  const brightness = crop(everywhere);
  const edges = crop(findEdges(everywhere, around));
  const region = onGrid(map.region, map, grid, picture);
  const grown = onGrid(map.grown, map, grid, picture);
  const sorted = brightness.filter((_, cell) => grown[cell] === 1).sort();
  const regionArea = region.reduce((sum, inside) => sum + inside, 0);
  if (regionArea === 0) return undefined;

  let best = rateComponents({ labels: Int32Array.from(region), areas: [regionArea] }, grid, region, edges)[0]!;
  let shape: GridShape | undefined;
  const tryParts = (included: Uint8Array): void => {
    const parts = labelComponents(included, grid.rows, grid.columns);
    rateComponents(parts, grid, region, edges).forEach((rating, at) => {
      if (rating <= best || parts.areas[at]! < FEWEST_PIXELS) return;
      best = rating;
      shape = { ...grid, inside: Uint8Array.from(parts.labels, (label) => (label === at + 1 ? 1 : 0)) };
    });
  };
  const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))]!;
  const halfWay = (at(ENDS) + at(1 - ENDS)) / 2;
  const brighter = new Uint8Array(grown.length);
  const darker = new Uint8Array(grown.length);
  for (const share of [undefined, ...SHARES]) {
    const upper = share === undefined ? halfWay : at(1 - share);
    const lower = share === undefined ? halfWay : at(share);
    for (let cell = 0; cell < grown.length; cell++) {
      brighter[cell] = brightness[cell]! >= upper ? grown[cell]! : 0;
      darker[cell] = brightness[cell]! <= lower ? grown[cell]! : 0;
    }
    tryParts(brighter);
    tryParts(darker);
  }
  return shape;
}
