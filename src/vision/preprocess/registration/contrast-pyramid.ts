import { IDENTITY } from '../../math/affine.ts';
import type { RgbImage } from '../../types.ts';
import { warpImage } from '../warp-image.ts';

/** A single-channel picture. `data` is [rows · columns]. */
export interface Plane {
  readonly columns: number;
  readonly rows: number;
  readonly data: Float32Array;
}

/** The plane's value, bilinear between the middles of cells; NaN outside of them. @param x, y in cells, 0 is the first middle */
export function samplePlane({ columns, rows, data }: Plane, x: number, y: number): number {
  const left = Math.floor(x);
  const top = Math.floor(y);
  if (!(left >= 0 && top >= 0 && left < columns - 1 && top < rows - 1)) return Number.NaN;
  const at = top * columns + left;
  const upper = data[at]! + (data[at + 1]! - data[at]!) * (x - left);
  const lower = data[at + columns]! + (data[at + columns + 1]! - data[at + columns]!) * (x - left);
  return upper + (lower - upper) * (y - top);
}

export type ContrastPyramid = ReturnType<typeof buildContrastPyramid>;

/** Most cells along the longer side of the finest plane. */
const FINEST = 256;
/** Window in which contrast is measured, cells on each side of the middle. */
const WINDOW = 6;
/** Contrast below this many levels counts as noise, not as structure. */
const NOISE_LEVELS = 6;

export const finestCells = (image: RgbImage): number => Math.min(FINEST, Math.max(image.width, image.height));

/**
 * Three planes of local contrast, each half as large as the one before: what registration compares. Local contrast is
 * the difference of a cell from its surroundings over their standard deviation. It hardly depends on lighting.
 * @param cells along the longer side of the finest plane
 * @returns the planes from fine to coarse, and the side of the finest plane's cells in pixels of the image
 */
export function buildContrastPyramid(original: RgbImage, cells = finestCells(original)) {
  const image = enlarge(original, cells);
  const cell = Math.max(image.width, image.height) / cells;
  // Whole cells only; their number can be halved twice.
  const columns = Math.floor(image.width / cell / 4 + 1e-9) * 4;
  const rows = Math.floor(image.height / cell / 4 + 1e-9) * 4;
  const fine = averageCells(image, cell, columns, rows);
  const middle = halve(fine);
  const coarse = halve(middle);
  return {
    cell: (cell * original.width) / image.width,
    levels: [localContrast(fine), localContrast(middle), localContrast(coarse)] as const,
  };
}

/** An image with fewer pixels than cells, enlarged to one pixel per cell. */
function enlarge(image: RgbImage, cells: number): RgbImage {
  const share = Math.max(image.width, image.height) / cells;
  if (share >= 1) return image;
  const width = Math.round(image.width / share);
  const height = Math.round(image.height / share);
  return warpImage({ image, toInput: { ...IDENTITY, a: share, e: share }, width, height }).image;
}

/** Mean brightness of each cell. A pixel on the edge of two cells counts for each by its share. */
function averageCells(image: RgbImage, cell: number, columns: number, rows: number): Plane {
  const { width, data } = image;
  const across = spread(cell, columns, width);
  const down = spread(cell, rows, image.height);
  const line = new Float32Array(columns);
  const out = new Float32Array(columns * rows);
  for (let y = 0; y < Math.min(image.height, Math.ceil(rows * cell)); y++) {
    line.fill(0);
    for (let x = 0; x < across.first.length; x++) {
      const at = (y * width + x) * 3;
      const luma = 0.299 * data[at]! + 0.587 * data[at + 1]! + 0.114 * data[at + 2]!;
      const column = across.first[x]!;
      const share = across.share[x]!;
      if (column < columns) line[column]! += luma * share;
      if (share < across.whole && column + 1 < columns) line[column + 1]! += luma * (across.whole - share);
    }
    const row = down.first[y]!;
    const share = down.share[y]!;
    for (let column = 0; column < columns; column++) {
      if (row < rows) out[row * columns + column]! += line[column]! * share;
      if (share < down.whole && row + 1 < rows)
        out[(row + 1) * columns + column]! += line[column]! * (down.whole - share);
    }
  }
  return { columns, rows, data: out };
}

/** For each pixel of a line: its first cell, and its weight there; the rest of `whole` belongs to the next cell. */
function spread(cell: number, cells: number, pixels: number) {
  const used = Math.min(pixels, Math.ceil(cells * cell));
  const first = new Int32Array(used);
  const share = new Float32Array(used);
  const whole = Math.fround(1 / cell);
  for (let pixel = 0; pixel < used; pixel++) {
    first[pixel] = Math.floor(pixel / cell);
    const end = (first[pixel]! + 1) * cell;
    share[pixel] = Math.min(1, end - pixel) * whole;
  }
  return { first, share, whole };
}

function halve(plane: Plane): Plane {
  const columns = plane.columns / 2;
  const rows = plane.rows / 2;
  const data = new Float32Array(columns * rows);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const at = row * 2 * plane.columns + column * 2;
      const below = at + plane.columns;
      data[row * columns + column] =
        (plane.data[at]! + plane.data[at + 1]! + plane.data[below]! + plane.data[below + 1]!) / 4;
    }
  }
  return { columns, rows, data };
}

function localContrast(plane: Plane): Plane {
  const { columns, rows, data } = plane;
  const stride = columns + 1;
  const sums = new Float64Array(stride * (rows + 1));
  const squares = new Float64Array(stride * (rows + 1));
  for (let row = 0; row < rows; row++) {
    let sum = 0;
    let square = 0;
    for (let column = 0; column < columns; column++) {
      const value = data[row * columns + column]!;
      sum += value;
      square += value * value;
      const at = (row + 1) * stride + column + 1;
      sums[at] = sums[at - stride]! + sum;
      squares[at] = squares[at - stride]! + square;
    }
  }
  const out = new Float32Array(data.length);
  for (let row = 0; row < rows; row++) {
    const top = Math.max(0, row - WINDOW) * stride;
    const bottom = Math.min(rows, row + WINDOW + 1) * stride;
    for (let column = 0; column < columns; column++) {
      const left = Math.max(0, column - WINDOW);
      const right = Math.min(columns, column + WINDOW + 1);
      const cells = ((bottom - top) / stride) * (right - left);
      const mean = (sums[bottom + right]! - sums[bottom + left]! - sums[top + right]! + sums[top + left]!) / cells;
      const meanSquare =
        (squares[bottom + right]! - squares[bottom + left]! - squares[top + right]! + squares[top + left]!) / cells;
      const variance = Math.max(0, meanSquare - mean * mean);
      const at = row * columns + column;
      out[at] = (data[at]! - mean) / Math.sqrt(variance + NOISE_LEVELS * NOISE_LEVELS);
    }
  }
  return { columns, rows, data: out };
}
