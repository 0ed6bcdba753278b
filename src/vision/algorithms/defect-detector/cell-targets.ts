import type { GridFrame } from '../../components/labelled-regions.ts';
import type { LabelledRegion } from '../../types.ts';

/** Cells count for a region where they lie in the middle of it, this share of its sides; the rest of it counts for nothing. */
const CORE = 0.6;
/** Smallest half of a core, in cells. */
const LEAST_CORE = 0.75;
/** Good cells so near to a region's middle, in cells, are learned with more weight. */
const NEAR = 5;
/** Lengths are learned in this many cells. */
export const LENGTH_UNIT = 2;

export type CellRole = 'good' | 'near' | 'ignored' | 'defect';

export interface CellTarget {
  readonly role: CellRole;
  /** Of a defect: its region, and the ways from the cell's centre to its left, top, right and bottom in {@link LENGTH_UNIT}. */
  readonly region?: LabelledRegion;
  readonly lengths?: readonly [number, number, number, number];
}

/** What is to be learned of every cell. @param regions in pixels of the prepared image */
export function cellTargets(regions: readonly LabelledRegion[], grid: GridFrame): CellTarget[] {
  const [cellWidth, cellHeight] = [grid.width / grid.columns, grid.height / grid.rows];
  return Array.from({ length: grid.rows * grid.columns }, (_, cell): CellTarget => {
    const x = ((cell % grid.columns) + 0.5) * cellWidth;
    const y = (Math.floor(cell / grid.columns) + 0.5) * cellHeight;
    const away = ({ xMin, xMax, yMin, yMax }: LabelledRegion) =>
      [Math.abs(x - (xMin + xMax) / 2) / cellWidth, Math.abs(y - (yMin + yMax) / 2) / cellHeight] as const;
    const area = ({ xMin, xMax, yMin, yMax }: LabelledRegion): number => (xMax - xMin) * (yMax - yMin);
    const holds = (region: LabelledRegion): boolean => {
      const [across, down] = away(region);
      const halfWidth = Math.max(LEAST_CORE, (CORE * (region.xMax - region.xMin)) / cellWidth / 2);
      const halfHeight = Math.max(LEAST_CORE, (CORE * (region.yMax - region.yMin)) / cellHeight / 2);
      return across <= halfWidth && down <= halfHeight;
    };
    const [region] = regions.filter(holds).sort((a, b) => area(a) - area(b));
    if (region) {
      const [unitX, unitY] = [LENGTH_UNIT * cellWidth, LENGTH_UNIT * cellHeight];
      const { xMin, yMin, xMax, yMax } = region;
      const lengths = [(x - xMin) / unitX, (y - yMin) / unitY, (xMax - x) / unitX, (yMax - y) / unitY] as const;
      return { role: 'defect', region, lengths };
    }
    const touches = ({ xMin, xMax, yMin, yMax }: LabelledRegion): boolean =>
      x > xMin - cellWidth / 2 && x < xMax + cellWidth / 2 && y > yMin - cellHeight / 2 && y < yMax + cellHeight / 2;
    if (regions.some(touches)) return { role: 'ignored' };
    return { role: regions.some((other) => Math.max(...away(other)) < NEAR) ? 'near' : 'good' };
  });
}
