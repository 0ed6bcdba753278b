import type { LabelledRegion } from '../../types.ts';
import { LENGTH_UNIT, STRIDE } from './detector-shapes.ts';

/** Cells belong to a defect in the middle of it, this share of its sides from its centre. */
const CORE = 0.25;
/** Least half of a core in pixels: every defect has a cell of its own. */
const LEAST_CORE = 6;
/** Around a core half a cell counts for nothing, and beyond it nothing is to be found: one defect, one place. */
const BAND = STRIDE / 2;
/** Defects longer than this look the same in their middle and beside it: their cells beside the core count for nothing. */
const SEEN_WHOLE = 80;
/** Cells this far outside of such a defect, in pixels, count for nothing. */
const RIM = 4;

export const [GOOD, IGNORED] = [0, -1];

/** What is to be learned of every cell of a window. */
export interface CellTargets {
  /** Its class: {@link GOOD}, 1 + the index of a label, or {@link IGNORED}. [cells] */
  readonly kinds: Int16Array;
  /** Ways from its centre to its defect's left, top, right and bottom in {@link LENGTH_UNIT}. [cells, 4] */
  readonly lengths: Float32Array;
}

const area = ({ xMin, xMax, yMin, yMax }: LabelledRegion): number => (xMax - xMin) * (yMax - yMin);

/** Whether a place is in one of the regions or right beside it. */
export const isNear = (regions: readonly LabelledRegion[], x: number, y: number): boolean =>
  regions.some(({ xMin, yMin, xMax, yMax }) => x > xMin - RIM && x < xMax + RIM && y > yMin - RIM && y < yMax + RIM);

/** Whether a place is in a region's core, or at most so many pixels beside it. */
function isCore({ xMin, yMin, xMax, yMax }: LabelledRegion, x: number, y: number, beside: number): boolean {
  const half = (side: number): number => Math.max(LEAST_CORE, CORE * side) + beside;
  return Math.abs(x - (xMin + xMax) / 2) <= half(xMax - xMin) && Math.abs(y - (yMin + yMax) / 2) <= half(yMax - yMin);
}

/** @param regions in pixels of the window; where those lie whose label is none of `labels`, nothing is to be learned */
export function cellTargets(
  regions: readonly LabelledRegion[],
  labels: readonly (number | null)[],
  rows: number,
  columns: number,
): CellTargets {
  const kinds = new Int16Array(rows * columns);
  const lengths = new Float32Array(4 * rows * columns);
  const centre = (index: number): number => (index + 0.5) * STRIDE;
  const mark = (region: LabelledRegion, within: (x: number, y: number) => boolean, kind: number): void => {
    for (let cell = 0; cell < kinds.length; cell++) {
      const [x, y] = [centre(cell % columns), centre(Math.floor(cell / columns))];
      if (!within(x, y)) continue;
      kinds[cell] = kind;
      lengths.set(
        [x - region.xMin, y - region.yMin, region.xMax - x, region.yMax - y].map((way) => way / LENGTH_UNIT),
        4 * cell,
      );
    }
  };
  // The smaller of two defects in the same place is marked last.
  const sorted = regions.toSorted((a, b) => area(b) - area(a));
  for (const region of sorted) {
    const { xMin, yMin, xMax, yMax, label } = region;
    const whole = labels.includes(label) && Math.max(xMax - xMin, yMax - yMin) <= SEEN_WHOLE;
    mark(region, (x, y) => (whole ? isCore(region, x, y, BAND) : isNear([region], x, y)), IGNORED);
  }
  for (const region of sorted) {
    const kind = labels.indexOf(region.label) + 1;
    if (kind > 0) mark(region, (x, y) => isCore(region, x, y, 0), kind);
  }
  return { kinds, lengths };
}
