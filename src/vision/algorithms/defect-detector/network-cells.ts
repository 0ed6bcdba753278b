import type { PatchFeatures } from '../../backbone/patch-extractor.ts';
import type { ScoreMap } from '../../types.ts';

interface Grid {
  readonly rows: number;
  readonly columns: number;
}

/** For each cell of a grid the cell of another grid over the same image that contains its centre. */
function containingCells(grid: Grid, other: Grid): Uint32Array {
  const scale = (at: number, cells: number, others: number): number => Math.floor(((at + 0.5) * others) / cells);
  return Uint32Array.from({ length: grid.rows * grid.columns }, (_, cell) => {
    const row = scale(Math.floor(cell / grid.columns), grid.rows, other.rows);
    return row * other.columns + scale(cell % grid.columns, grid.columns, other.columns);
  });
}

/** The highest class probability of each cell. @param cells [cells, 1 + classes + 4] */
export function defectProbabilities({ rows, columns, patches }: PatchFeatures): ScoreMap {
  const data = Float32Array.from({ length: rows * columns }, (_, cell) =>
    patches.data
      .subarray(cell * patches.columns + 1, (cell + 1) * patches.columns - 4)
      .reduce((a, b) => Math.max(a, b)),
  );
  return { rows, columns, data };
}

/** Raw scores of the network on the grid of the patches: its highest cell in each patch by the threshold, 0 without. */
export function networkScoresOn(patches: Grid, probabilities: ScoreMap, threshold: number): Float32Array {
  const scores = new Float32Array(patches.rows * patches.columns);
  containingCells(probabilities, patches).forEach((patch, cell) => {
    scores[patch] = Math.max(scores[patch]!, probabilities.data[cell]! / threshold);
  });
  return scores;
}

/**
 * The network's cells with a probability of 1 for good wherever a patch is suppressed.
 * @param cells [cells, 1 + classes + 4]
 * @param suppressed [patches], 1 = suppressed; absent: nothing changes
 */
export function suppressCells(cells: PatchFeatures, patches: Grid, suppressed: Uint8Array | undefined): PatchFeatures {
  if (!suppressed) return cells;
  const { columns: width } = cells.patches;
  const data = cells.patches.data.slice();
  containingCells(cells, patches).forEach((patch, cell) => {
    if (suppressed[patch] !== 1) return;
    data[cell * width] = 1;
    data.fill(0, cell * width + 1, (cell + 1) * width - 4);
  });
  return { ...cells, patches: { ...cells.patches, data } };
}
