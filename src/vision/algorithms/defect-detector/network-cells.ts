import type { PatchFeatures } from '../../backbone/patch-extractor.ts';
import { intersectionOverUnion } from '../../math/rectangle.ts';
import type { ImageFrame, Rectangle, ScoreMap } from '../../types.ts';
import { SIDE_UNIT } from './detector-network.ts';

type Grid = Pick<ScoreMap, 'rows' | 'columns'>;

/** A defect found by the network: a rectangle in pixels of the prepared image. */
export interface DefectBox extends Rectangle {
  /** Index of its class among the labels. */
  readonly labelIndex: number;
  readonly probability: number;
}

/** Cells with a lower probability give no box. */
const MIN_PROBABILITY = 0.05;
/** Non-maximum suppression: boxes of a class that overlap a more probable one by more than this show the same defect. */
const SUPPRESSION_IOU = 0.3;
/** Boxes of the same defect that overlap by more than this are averaged. */
const VOTING_IOU = 0.5;
/** Least distance from a cell's centre to a side, in side units. */
const MIN_SIDE = 1 / 8;
const MOST_BOXES = 2000;

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
  const { columns: width, data: cells } = patches;
  const data = new Float32Array(rows * columns);
  for (let cell = 0; cell < data.length; cell++)
    for (let at = cell * width + 1; at < (cell + 1) * width - 4; at++) data[cell] = Math.max(data[cell]!, cells[at]!);
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

/** A box for each cell and class of a sufficient probability, the most probable first. */
function boxesOfCells({ rows, columns, patches }: PatchFeatures, { image }: ImageFrame): DefectBox[] {
  const { columns: width, data } = patches;
  const labels = width - 5;
  const cellWidth = image.width / columns;
  const cellHeight = image.height / rows;
  const boxes: DefectBox[] = [];
  for (let cell = 0; cell < rows * columns; cell++)
    for (let labelIndex = 0; labelIndex < labels; labelIndex++) {
      const probability = data[cell * width + 1 + labelIndex]!;
      if (probability < MIN_PROBABILITY) continue;
      const x = ((cell % columns) + 0.5) * cellWidth;
      const y = (Math.floor(cell / columns) + 0.5) * cellHeight;
      const side = (index: number): number => SIDE_UNIT * Math.max(MIN_SIDE, data[cell * width + 1 + labels + index]!);
      boxes.push({
        xMin: Math.max(0, x - side(0) * cellWidth),
        yMin: Math.max(0, y - side(1) * cellHeight),
        xMax: Math.min(image.width, x + side(2) * cellWidth),
        yMax: Math.min(image.height, y + side(3) * cellHeight),
        labelIndex,
        probability,
      });
    }
  return boxes.sort((a, b) => b.probability - a.probability).slice(0, MOST_BOXES);
}

/** Box voting: the mean of the boxes that overlap the best one well, weighted by probability. */
function voteBox(best: DefectBox, boxes: readonly DefectBox[]): DefectBox {
  const voters = boxes.filter((box) => intersectionOverUnion(box, best) > VOTING_IOU);
  const weight = voters.reduce((sum, { probability }) => sum + probability, 0);
  const mean = (side: keyof Rectangle): number =>
    voters.reduce((sum, box) => sum + box.probability * box[side], 0) / weight;
  return { ...best, xMin: mean('xMin'), yMin: mean('yMin'), xMax: mean('xMax'), yMax: mean('yMax') };
}

/**
 * Decodes the network's cells to boxes by non-maximum suppression with box voting (Gidaris & Komodakis 2015).
 * @param cells [cells, 1 + classes + 4]: probabilities of good and of the classes, distances to the four sides
 * @returns the defects of known classes, the most probable first
 */
export function decodeBoxes(cells: PatchFeatures, frame: ImageFrame): DefectBox[] {
  const proposed = boxesOfCells(cells, frame);
  const found: DefectBox[] = [];
  for (const label of new Set(proposed.map(({ labelIndex }) => labelIndex))) {
    let boxes = proposed.filter(({ labelIndex }) => labelIndex === label);
    for (let [best] = boxes; best; [best] = boxes) {
      const top = best;
      found.push(voteBox(top, boxes));
      boxes = boxes.filter((box) => box !== top && intersectionOverUnion(box, top) <= SUPPRESSION_IOU);
    }
  }
  return found.sort((a, b) => b.probability - a.probability);
}
