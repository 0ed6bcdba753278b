import { intersectionOverUnion } from '../../evaluation/detection-metrics.ts';
import { affineArea, applyAffine } from '../../math/affine.ts';
import type { Matrix } from '../../math/matrix.ts';
import type { ImageFrame, Region } from '../../types.ts';
import { LENGTH_UNIT, STRIDE } from './detector-shapes.ts';

/** A rectangle in pixels of the prepared image. */
export interface FoundDefect {
  readonly xMin: number;
  readonly yMin: number;
  readonly xMax: number;
  readonly yMax: number;
  /** Index of its class among the labels. */
  readonly kind: number;
  readonly probability: number;
}

/** Cells less likely a defect than this propose nothing. */
const LEAST_PROBABILITY = 0.05;
/** Proposals of a class that overlap a likelier one by this share of their union are the same defect. */
const SAME = 0.3;
/** Proposals of the same defect that agree so well are averaged. */
const AGREE = 0.5;
/** Shortest way from a cell's centre to a side, in units of length. */
const LEAST_LENGTH = 1 / 8;
const MOST_PROPOSALS = 2000;

type Rectangle = Pick<FoundDefect, 'xMin' | 'yMin' | 'xMax' | 'yMax'>;

interface Grid {
  readonly rows: number;
  readonly columns: number;
}

/** For every cell and class that is not out of the question there the rectangle that the cell takes the defect for. */
function proposals({ columns: width, data }: Matrix, { rows, columns }: Grid, { image }: ImageFrame): FoundDefect[] {
  const kinds = width - 5;
  const [cellWidth, cellHeight] = [image.width / columns, image.height / rows];
  // Pixels of the image for one of the canvas that the network saw.
  const [across, down] = [cellWidth / STRIDE, cellHeight / STRIDE];
  const found: FoundDefect[] = [];
  for (let cell = 0; cell < rows * columns; cell++)
    for (let kind = 0; kind < kinds; kind++) {
      const probability = data[cell * width + 1 + kind]!;
      if (probability < LEAST_PROBABILITY) continue;
      const [x, y] = [((cell % columns) + 0.5) * cellWidth, (Math.floor(cell / columns) + 0.5) * cellHeight];
      const way = (side: number): number =>
        LENGTH_UNIT * Math.max(LEAST_LENGTH, data[cell * width + 1 + kinds + side]!);
      found.push({
        xMin: Math.max(0, x - way(0) * across),
        yMin: Math.max(0, y - way(1) * down),
        xMax: Math.min(image.width, x + way(2) * across),
        yMax: Math.min(image.height, y + way(3) * down),
        kind,
        probability,
      });
    }
  return found.sort((a, b) => b.probability - a.probability).slice(0, MOST_PROPOSALS);
}

/** The rectangle that all agreeing proposals give together, by their probability. */
function average(best: FoundDefect, others: readonly FoundDefect[]): FoundDefect {
  const agreeing = others.filter((other) => other.kind === best.kind && intersectionOverUnion(other, best) > AGREE);
  const weight = agreeing.reduce((sum, { probability }) => sum + probability, 0);
  const mean = (side: keyof Rectangle): number =>
    agreeing.reduce((sum, other) => sum + other.probability * other[side], 0) / weight;
  return { ...best, xMin: mean('xMin'), yMin: mean('yMin'), xMax: mean('xMax'), yMax: mean('yMax') };
}

/**
 * Defects of the known classes, the likeliest first.
 * @param outputs [cells, 1 + classes + 4]: probabilities of good and of the classes, ways to the four sides
 */
export function findDefects(outputs: Matrix, grid: Grid, frame: ImageFrame): FoundDefect[] {
  const found: FoundDefect[] = [];
  let waiting = proposals(outputs, grid, frame);
  for (let [best] = waiting; best; [best] = waiting) {
    const top = best;
    found.push(average(top, waiting));
    waiting = waiting.filter(
      (other) => other !== top && (other.kind !== top.kind || intersectionOverUnion(other, top) <= SAME),
    );
  }
  return found;
}

/** The defect as a region of the original image. */
export function toOriginalRegion(
  { xMin, yMin, xMax, yMax }: Rectangle,
  { toOriginal, originalWidth, originalHeight }: ImageFrame,
  rawScore: number,
  label: number | null,
): Region {
  const corners = [xMin, xMax].flatMap((x) => [yMin, yMax].map((y) => applyAffine(toOriginal, x, y)));
  const span = (values: readonly number[], size: number): readonly [number, number] => {
    const from = Math.min(Math.max(Math.floor(Math.min(...values)), 0), size - 1);
    return [from, Math.min(Math.max(Math.ceil(Math.max(...values)), from + 1), size)];
  };
  const [left, right] = span(
    corners.map(([x]) => x),
    originalWidth,
  );
  const [top, bottom] = span(
    corners.map(([, y]) => y),
    originalHeight,
  );
  const area = (xMax - xMin) * (yMax - yMin) * affineArea(toOriginal);
  const region = { xMin: left, yMin: top, xMax: right, yMax: bottom, area, rawScore };
  return label === null ? region : { ...region, label };
}
