import type { LabelledRegion } from '../../types.ts';
import { LENGTH_UNIT, STRIDE } from './detector-shapes.ts';

/** Cells belong to a defect in the middle of it, this share of its sides from its centre. */
const CORE = 0.25;
/** Least half of a core in pixels: every defect has a cell of its own. */
const LEAST_CORE = 6;
/** Cells this far outside of a defect, in pixels, count for nothing. */
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

/** @param regions in pixels of the window, those that belong to no label left out of nothing but the class */
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
    const { xMin, yMin, xMax, yMax } = region;
    mark(region, (x, y) => x > xMin - RIM && x < xMax + RIM && y > yMin - RIM && y < yMax + RIM, IGNORED);
  }
  for (const region of sorted) {
    const { xMin, yMin, xMax, yMax, label } = region;
    const halfWidth = Math.max(LEAST_CORE, CORE * (xMax - xMin));
    const halfHeight = Math.max(LEAST_CORE, CORE * (yMax - yMin));
    const kind = labels.indexOf(label) + 1;
    mark(
      region,
      (x, y) => Math.abs(x - (xMin + xMax) / 2) <= halfWidth && Math.abs(y - (yMin + yMax) / 2) <= halfHeight,
      kind === 0 ? IGNORED : kind,
    );
  }
  return { kinds, lengths };
}
