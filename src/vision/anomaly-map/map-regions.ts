import { affineArea, applyAffine } from '../math/affine.ts';
import type { ImageFrame, Region } from '../types.ts';
import type { InspectedMap } from './inspected-map.ts';

/** A region reaches down to this share of the limit, and to this share of its own peak. */
const [OF_LIMIT, OF_PEAK] = [0.88, 0.4];
/** Levels from the lowest upwards that are tried until a region holds no other peak. */
const STEPS = 8;
/** By how many cells of the algorithm's map a defect looks wider than it is, and how many cells a region keeps. */
const [BLUR, FEWEST_CELLS] = [2, 4];

/** A walk over the inspected cells of a map, 8-connected. */
function openWalk({ map: { rows, columns, data }, inspected }: InspectedMap) {
  const turns = new Uint32Array(data.length);
  const cells = new Int32Array(data.length);
  let turn = 0;
  /**
   * @param isForbidden ends the walk at such a cell
   * @returns the cells at or over the level that are connected with `start`; undefined if one is forbidden
   */
  return (start: number, level: number, isForbidden?: (cell: number) => boolean): Int32Array | undefined => {
    turn++;
    let count = 0;
    turns[start] = turn;
    cells[count++] = start;
    for (let at = 0; at < count; at++) {
      const cell = cells[at]!;
      if (isForbidden?.(cell)) return undefined;
      const row = Math.floor(cell / columns);
      const column = cell - row * columns;
      const right = Math.min(column + 1, columns - 1);
      const bottom = Math.min(row + 1, rows - 1);
      for (let y = Math.max(row - 1, 0); y <= bottom; y++)
        for (let next = y * columns + Math.max(column - 1, 0); next <= y * columns + right; next++) {
          if (turns[next] === turn || inspected[next] !== 1 || data[next]! < level) continue;
          turns[next] = turn;
          cells[count++] = next;
        }
    }
    return cells.slice(0, count);
  };
}

/** Inspected cells at or over the limit with no higher neighbour, the highest first. */
function findPeaks({ map: { rows, columns, data }, inspected }: InspectedMap, rawLimit: number): number[] {
  const peaks: number[] = [];
  const isLower = (cell: number, than: number): boolean => inspected[cell] !== 1 || data[cell]! <= than;
  for (let row = 0, cell = 0; row < rows; row++)
    for (let column = 0; column < columns; column++, cell++) {
      const score = data[cell]!;
      if (inspected[cell] !== 1 || !(score >= rawLimit)) continue;
      let isPeak = true;
      for (let y = Math.max(row - 1, 0); isPeak && y <= Math.min(row + 1, rows - 1); y++)
        for (let x = Math.max(column - 1, 0); isPeak && x <= Math.min(column + 1, columns - 1); x++)
          isPeak = isLower(y * columns + x, score);
      if (isPeak) peaks.push(cell);
    }
  return peaks.sort((a, b) => data[b]! - data[a]! || a - b);
}

/** Whole pixels around the places, inside the image and at least one wide. */
function pixelSpan(places: readonly number[], size: number): readonly [number, number] {
  const from = Math.min(Math.max(Math.floor(Math.min(...places) + 1e-6), 0), size - 1);
  const to = Math.min(Math.max(Math.ceil(Math.max(...places) - 1e-6), from + 1), size);
  return [from, to];
}

function toRegion(
  cells: Int32Array,
  { map: { rows, columns } }: InspectedMap,
  frame: ImageFrame,
  rawScore: number,
): Region {
  const { image, toOriginal, originalWidth, originalHeight } = frame;
  const [cellWidth, cellHeight] = [image.width / columns, image.height / rows];
  let [firstRow, lastRow, firstColumn, lastColumn] = [rows, -1, columns, -1];
  for (const cell of cells) {
    const row = Math.floor(cell / columns);
    const column = cell - row * columns;
    firstRow = Math.min(firstRow, row);
    lastRow = Math.max(lastRow, row);
    firstColumn = Math.min(firstColumn, column);
    lastColumn = Math.max(lastColumn, column);
  }
  const xs = [firstColumn * cellWidth, (lastColumn + 1) * cellWidth];
  const ys = [firstRow * cellHeight, (lastRow + 1) * cellHeight];
  const corners = ys.flatMap((y) => xs.map((x) => applyAffine(toOriginal, x, y)));
  const originalXs = corners.map(([x]) => x);
  const originalYs = corners.map(([, y]) => y);
  const [xMin, xMax] = pixelSpan(originalXs, originalWidth);
  const [yMin, yMax] = pixelSpan(originalYs, originalHeight);
  const area = cells.length * cellWidth * cellHeight * affineArea(toOriginal);
  return { xMin, yMin, xMax, yMax, area, rawScore };
}

/**
 * Places of the inspected map with a score at or over `rawLimit`, in pixels of the original image, the highest score
 * first. A part that begins at the limit shows too little of a defect, so each one is grown from its peak to a lower
 * limit (hysteresis, after Canny 1986). The map shows a defect wider than it is, because the network looks around each
 * cell. So the lowest cells are dropped again, as many as make a square narrower by the blur.
 */
export function mapRegions(inspectedMap: InspectedMap, frame: ImageFrame, rawLimit: number): Region[] {
  const { map, refinement } = inspectedMap;
  const { data } = map;
  const candidates = findPeaks(inspectedMap, rawLimit);
  if (candidates.length === 0) return [];
  const walk = openWalk(inspectedMap);
  const lowerLimit = OF_LIMIT * rawLimit;

  // A peak that stands out from the path to a higher one, by half of its height over the lower limit, has a region.
  const separateLevel = (peak: number): number => (lowerLimit + data[peak]!) / 2;
  const taken = new Uint8Array(data.length);
  const peaks = candidates.filter((peak) => {
    const around = walk(peak, separateLevel(peak), (cell) => taken[cell] === 1 || data[cell]! > data[peak]!);
    around?.forEach((cell) => {
      taken[cell] = 1;
    });
    return around !== undefined;
  });

  const isPeak = new Set(peaks);
  const grow = (peak: number): Int32Array => {
    const lowest = Math.max(lowerLimit, OF_PEAK * data[peak]!);
    for (let step = 0; step < STEPS; step++) {
      const level = lowest + ((separateLevel(peak) - lowest) * step) / STEPS;
      const cells = walk(peak, level, (cell) => cell !== peak && isPeak.has(cell));
      if (cells) return cells;
    }
    return walk(peak, separateLevel(peak))!;
  };
  const trim = (peak: number, cells: Int32Array): Int32Array => {
    const side = Math.max(0, Math.sqrt(cells.length) - BLUR * refinement);
    const kept = Math.max(Math.round(side ** 2), Math.min(FEWEST_CELLS * refinement ** 2, cells.length));
    const scores = new Float32Array(cells.length);
    for (let at = 0; at < cells.length; at++) scores[at] = data[cells[at]!]!;
    return walk(peak, scores.sort()[cells.length - kept]!)!;
  };
  return peaks.map((peak) => toRegion(trim(peak, grow(peak)), inspectedMap, frame, data[peak]!));
}
