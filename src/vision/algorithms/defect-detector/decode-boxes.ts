import type { PatchFeatures } from '../../backbone/patch-extractor.ts';
import { affineArea, applyAffine } from '../../math/affine.ts';
import { intersectionOverUnion } from '../../math/intersection-over-union.ts';
import type { ImageFrame, Region } from '../../types.ts';
import { SIDE_UNIT, STRIDE } from './detector-network.ts';

/** A defect found by the network: a rectangle in pixels of the prepared image. */
export interface DefectBox {
  readonly xMin: number;
  readonly yMin: number;
  readonly xMax: number;
  readonly yMax: number;
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

/** A box for each cell and class of a sufficient probability, the most probable first. */
function boxesOfCells({ rows, columns, patches }: PatchFeatures, { image }: ImageFrame): DefectBox[] {
  const { columns: width, data } = patches;
  const labels = width - 5;
  const cellWidth = image.width / columns;
  const cellHeight = image.height / rows;
  // Pixels of the image for one side unit of the network's canvas.
  const across = cellWidth / STRIDE;
  const down = cellHeight / STRIDE;
  const boxes: DefectBox[] = [];
  for (let cell = 0; cell < rows * columns; cell++)
    for (let labelIndex = 0; labelIndex < labels; labelIndex++) {
      const probability = data[cell * width + 1 + labelIndex]!;
      if (probability < MIN_PROBABILITY) continue;
      const x = ((cell % columns) + 0.5) * cellWidth;
      const y = (Math.floor(cell / columns) + 0.5) * cellHeight;
      const side = (index: number): number => SIDE_UNIT * Math.max(MIN_SIDE, data[cell * width + 1 + labels + index]!);
      boxes.push({
        xMin: Math.max(0, x - side(0) * across),
        yMin: Math.max(0, y - side(1) * down),
        xMax: Math.min(image.width, x + side(2) * across),
        yMax: Math.min(image.height, y + side(3) * down),
        labelIndex,
        probability,
      });
    }
  return boxes.sort((a, b) => b.probability - a.probability).slice(0, MOST_BOXES);
}

/** Box voting: the mean of the boxes of the same class that overlap well, weighted by probability. */
function voteBox(best: DefectBox, boxes: readonly DefectBox[]): DefectBox {
  const voters = boxes.filter(
    (box) => box.labelIndex === best.labelIndex && intersectionOverUnion(box, best) > VOTING_IOU,
  );
  const weight = voters.reduce((sum, { probability }) => sum + probability, 0);
  const mean = (side: 'xMin' | 'yMin' | 'xMax' | 'yMax'): number =>
    voters.reduce((sum, box) => sum + box.probability * box[side], 0) / weight;
  return { ...best, xMin: mean('xMin'), yMin: mean('yMin'), xMax: mean('xMax'), yMax: mean('yMax') };
}

/**
 * Decodes the network's cells to boxes by non-maximum suppression with box voting (Gidaris & Komodakis 2015).
 * @param cells [cells, 1 + classes + 4]: probabilities of good and of the classes, distances to the four sides
 * @returns the defects of known classes, the most probable first
 */
export function decodeBoxes(cells: PatchFeatures, frame: ImageFrame): DefectBox[] {
  const found: DefectBox[] = [];
  let boxes = boxesOfCells(cells, frame);
  for (let [best] = boxes; best; [best] = boxes) {
    const top = best;
    found.push(voteBox(top, boxes));
    boxes = boxes.filter(
      (box) => box !== top && (box.labelIndex !== top.labelIndex || intersectionOverUnion(box, top) <= SUPPRESSION_IOU),
    );
  }
  return found;
}

/** The box as a region of the original image. */
export function toOriginalRegion(
  { xMin, yMin, xMax, yMax }: DefectBox,
  { toOriginal, originalWidth, originalHeight }: ImageFrame,
  rawScore: number,
  label: number | null,
): Region {
  const corners = [xMin, xMax].flatMap((x) => [yMin, yMax].map((y) => applyAffine(toOriginal, x, y)));
  const xs = corners.map(([x]) => x);
  const ys = corners.map(([, y]) => y);
  const start = (values: readonly number[], size: number): number =>
    Math.min(Math.max(Math.floor(Math.min(...values)), 0), size - 1);
  const end = (values: readonly number[], size: number): number =>
    Math.min(Math.max(Math.ceil(Math.max(...values)), start(values, size) + 1), size);
  return {
    xMin: start(xs, originalWidth),
    yMin: start(ys, originalHeight),
    xMax: end(xs, originalWidth),
    yMax: end(ys, originalHeight),
    area: (xMax - xMin) * (yMax - yMin) * affineArea(toOriginal),
    rawScore,
    ...(label !== null && { label }),
  };
}
