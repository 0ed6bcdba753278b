import type { LabelledRegion } from '../../types.ts';
import { SIDE_UNIT, STRIDE } from './detector-network.ts';

/** Cells within this share of a defect's sides from its centre are positive: centre sampling (Tian et al. 2019, FCOS). */
const CORE = 0.25;
/** Least half of a core in pixels, so that every defect has a positive cell. */
const MIN_CORE = 6;
/** Cells at most this far from a core are ignored. Farther ones are negative: each defect is found in one place only. */
const BAND = STRIDE / 2;
/** In longer defects a cell beside the core looks like one in the core, so all cells beside it are ignored. */
const LONG = 80;
/** For long defects cells at most this far outside are ignored too, in pixels. */
const RIM = 4;

export const GOOD = 0;
export const IGNORED = -1;

/** What the network is to learn for each cell of a crop. */
export interface CellTargets {
  /** {@link GOOD}, 1 + the index of a label, or {@link IGNORED}. [cells] */
  readonly classes: Int16Array;
  /** Distances from the cell's centre to the defect's left, top, right and bottom in {@link SIDE_UNIT}. [cells, 4] */
  readonly sides: Float32Array;
}

const areaOf = ({ xMin, xMax, yMin, yMax }: LabelledRegion): number => (xMax - xMin) * (yMax - yMin);

/** Whether a place lies in one of the regions or right beside it. */
export const isNear = (regions: readonly LabelledRegion[], x: number, y: number): boolean =>
  regions.some(({ xMin, yMin, xMax, yMax }) => x > xMin - RIM && x < xMax + RIM && y > yMin - RIM && y < yMax + RIM);

/** Whether a place lies in a region's core, or at most `margin` pixels beside it. */
function isInCore({ xMin, yMin, xMax, yMax }: LabelledRegion, x: number, y: number, margin: number): boolean {
  const half = (side: number): number => Math.max(MIN_CORE, CORE * side) + margin;
  return Math.abs(x - (xMin + xMax) / 2) <= half(xMax - xMin) && Math.abs(y - (yMin + yMax) / 2) <= half(yMax - yMin);
}

/** @param regions in pixels of the crop. Regions of a label that is not among `labels` are ignored. */
export function cellTargets(
  regions: readonly LabelledRegion[],
  labels: readonly (number | null)[],
  rows: number,
  columns: number,
): CellTargets {
  const classes = new Int16Array(rows * columns);
  const sides = new Float32Array(4 * rows * columns);
  const mark = (region: LabelledRegion, isMarked: (x: number, y: number) => boolean, value: number): void => {
    for (let cell = 0; cell < classes.length; cell++) {
      const x = ((cell % columns) + 0.5) * STRIDE;
      const y = (Math.floor(cell / columns) + 0.5) * STRIDE;
      if (!isMarked(x, y)) continue;
      classes[cell] = value;
      const distances = [x - region.xMin, y - region.yMin, region.xMax - x, region.yMax - y];
      sides.set(
        distances.map((distance) => distance / SIDE_UNIT),
        4 * cell,
      );
    }
  };
  // Of two defects in the same place the smaller is marked last.
  const sorted = regions.toSorted((a, b) => areaOf(b) - areaOf(a));
  for (const region of sorted) {
    const { xMin, yMin, xMax, yMax, label } = region;
    const isWhole = labels.includes(label) && Math.max(xMax - xMin, yMax - yMin) <= LONG;
    mark(region, (x, y) => (isWhole ? isInCore(region, x, y, BAND) : isNear([region], x, y)), IGNORED);
  }
  for (const region of sorted) {
    const index = labels.indexOf(region.label);
    if (index >= 0) mark(region, (x, y) => isInCore(region, x, y, 0), index + 1);
  }
  return { classes, sides };
}
