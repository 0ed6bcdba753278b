import { affineArea } from '../math/affine.ts';
import { boundsOf } from '../math/cell-bounds.ts';
import type { ImageFrame, Region } from '../types.ts';
import type { InspectedMap } from './inspected-map.ts';
import { placeOf } from './trace-outline.ts';

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

/** What is found around a peak. Cells of the inspected map. */
interface Found {
  readonly peak: number;
  /** Down to the lower limit. */
  readonly grown: Int32Array;
  /** Of the grown cells, those that the defect covers. */
  readonly covered: Int32Array;
}

function toRegion({ peak, grown, covered }: Found, { map: { rows, columns, data } }: InspectedMap, frame: ImageFrame) {
  const { image, toOriginal } = frame;
  const [cellWidth, cellHeight] = [image.width / columns, image.height / rows];
  const { top, bottom, left, right } = boundsOf(covered, columns);
  const size = { rows: bottom - top, columns: right - left };
  const inside = new Uint8Array(size.rows * size.columns);
  for (const cell of covered) inside[(Math.floor(cell / columns) - top) * size.columns + (cell % columns) - left] = 1;
  const shape = { left: left * cellWidth, top: top * cellHeight, cellWidth, cellHeight, ...size, inside };
  const area = covered.length * cellWidth * cellHeight * affineArea(toOriginal);
  return { ...placeOf(shape, frame), area, rawScore: data[peak]!, grown };
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
  return peaks.map((peak) => {
    const grown = grow(peak);
    return toRegion({ peak, grown, covered: trim(peak, grown) }, inspectedMap, frame);
  });
}
