import type { PatchFeatures } from '../../backbone/patch-extractor.ts';
import type { ScoreMap } from '../../types.ts';

interface Grid {
  readonly rows: number;
  readonly columns: number;
}

/** For each cell of a grid the cell of another grid over the same image that its centre lies in. */
function cellsUnder(grid: Grid, other: Grid): Uint32Array {
  const under = (at: number, cells: number, others: number): number => Math.floor(((at + 0.5) * others) / cells);
  return Uint32Array.from({ length: grid.rows * grid.columns }, (_, cell) => {
    const row = under(Math.floor(cell / grid.columns), grid.rows, other.rows);
    return row * other.columns + under(cell % grid.columns, grid.columns, other.columns);
  });
}

/** The highest of the network's values in every cell of the patches' grid, 0 where the network has none. [patches] */
export function alarmsOn(patches: Grid, heat: ScoreMap, limit: number): Float32Array {
  const alarms = new Float32Array(patches.rows * patches.columns);
  cellsUnder(heat, patches).forEach((patch, cell) => {
    alarms[patch] = Math.max(alarms[patch]!, heat.data[cell]! / limit);
  });
  return alarms;
}

/**
 * The network's cells, certainly good wherever a patch is hushed.
 * @param cells [cells, 1 + classes + 4] @param hushed [patches], 1: alarms are false; absent: nothing changes
 */
export function hushCells(cells: PatchFeatures, patches: Grid, hushed: Uint8Array | undefined): PatchFeatures {
  if (!hushed) return cells;
  const { columns: width, data } = cells.patches;
  const quiet = Float32Array.from(data);
  cellsUnder(cells, patches).forEach((patch, cell) => {
    if (hushed[patch] === 1)
      quiet.fill(0, cell * width + 1, (cell + 1) * width - 4).fill(1, cell * width, cell * width + 1);
  });
  return { ...cells, patches: { ...cells.patches, data: quiet } };
}
