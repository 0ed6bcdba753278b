import { Tensor } from 'onnxruntime-node';
import type { LabelledRegion, Random } from '../../types.ts';
import { type ColourScale, colourPlanes, SIDE_UNIT, STRIDE } from './detector-network.ts';
import { augmentCrop, isNear, type TrainingCrop } from './training-crops.ts';
import type { Augmentation } from './views.ts';

export const BATCH = 16;
/** Shares of a batch: defects, each class equally often, and hard negatives. The rest are other good places. */
const DEFECT_SHARE = 0.7;
const HARD_SHARE = 0.15;
/** Weight of a cell's sides beside its class. */
const SIDE_WEIGHT = 0.5;
/** Largest change of brightness and of contrast by augmentation, in spreads of the colours. */
const JITTER = 0.1;

/** Cells within this share of a defect's sides from its centre are positive: centre sampling (Tian et al. 2019, FCOS). */
const CORE = 0.25;
/** Least half of a core in pixels, so that every defect has a positive cell. */
const MIN_CORE = 6;
/** Cells at most this far from a core are ignored. Farther ones are negative: each defect is found in one place only. */
const BAND = STRIDE / 2;
/** In longer defects a cell beside the core looks like one in the core, so all cells beside it are ignored. */
const LONG = 80;

export const GOOD = 0;
export const IGNORED = -1;

/** Mean of the crops' colours, and the root mean square of what remains. */
export function measureColours(crops: readonly TrainingCrop[]): ColourScale {
  const sums = [0, 0, 0];
  let squares = 0;
  let count = 0;
  for (const { image } of crops)
    for (let i = 0; i < image.data.length; i += 3)
      for (let channel = 0; channel < 3; channel++) {
        const value = image.data[i + channel]! / 255;
        sums[channel]! += value;
        squares += value * value;
        count++;
      }
  const [red = 0, green = 0, blue = 0] = sums.map((sum) => (3 * sum) / count);
  const spread = Math.sqrt(Math.max(1e-4, squares / count - (red * red + green * green + blue * blue) / 3));
  return { mean: [red, green, blue], spread };
}

/** Crops to draw batches from. */
export interface CropPools {
  /** Crops of each class, none empty. */
  readonly classes: readonly (readonly TrainingCrop[])[];
  readonly good: readonly TrainingCrop[];
  readonly hard: readonly TrainingCrop[];
}

/** Draws the crops of a batch. Without hard or good crops, others take their place. */
export function drawBatch({ classes, good, hard }: CropPools, random: Random): TrainingCrop[] {
  return Array.from({ length: BATCH }, (_, index) => {
    const share = (index + 0.5) / BATCH;
    const defects = classes[random.integer(classes.length)]!;
    const negatives = share < DEFECT_SHARE + HARD_SHARE && hard.length > 0 ? hard : good;
    const pool = share < DEFECT_SHARE || negatives.length === 0 ? defects : negatives;
    return pool[random.integer(pool.length)]!;
  });
}

/** Whether a place lies in a region's core, or at most `margin` pixels beside it. */
function isInCore({ xMin, yMin, xMax, yMax }: LabelledRegion, x: number, y: number, margin: number): boolean {
  const half = (side: number): number => Math.max(MIN_CORE, CORE * side) + margin;
  return Math.abs(x - (xMin + xMax) / 2) <= half(xMax - xMin) && Math.abs(y - (yMin + yMax) / 2) <= half(yMax - yMin);
}

/**
 * What the network is to learn for each cell of a crop.
 * @param regions in pixels of the crop. Regions of a label that is not among `labels` are ignored.
 * @returns `classes` [cells]: 0 for good, 1 + the index of a label, or -1 where ignored; `sides` [cells, 4]: distances
 *   from the cell's centre to the defect's left, top, right and bottom in {@link SIDE_UNIT}
 */
export function cellTargets(
  regions: readonly LabelledRegion[],
  labels: readonly (number | null)[],
  rows: number,
  columns: number,
): { readonly classes: Int16Array; readonly sides: Float32Array } {
  const classes = new Int16Array(rows * columns);
  const sides = new Float32Array(4 * rows * columns);
  const mark = (region: LabelledRegion, isMarked: (x: number, y: number) => boolean, value: number): void => {
    for (let cell = 0; cell < classes.length; cell++) {
      const x = ((cell % columns) + 0.5) * STRIDE;
      const y = (Math.floor(cell / columns) + 0.5) * STRIDE;
      if (!isMarked(x, y)) continue;
      classes[cell] = value;
      const distances = [x - region.xMin, y - region.yMin, region.xMax - x, region.yMax - y];
      for (let side = 0; side < 4; side++) sides[4 * cell + side] = distances[side]! / SIDE_UNIT;
    }
  };
  const areaOf = ({ xMin, xMax, yMin, yMax }: LabelledRegion): number => (xMax - xMin) * (yMax - yMin);
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

/** Shapes of a batch's tensors, by the names of the training graph's inputs. */
export function batchDims(classes: number, viewSide: number) {
  const cells = viewSide / STRIDE;
  return {
    image: [BATCH, 3, viewSide, viewSide],
    /** One-hot class of each cell. */
    classes: [BATCH, classes, cells, cells],
    /** Weight of each cell's class, 0: ignored. */
    classWeights: [BATCH, 1, cells, cells],
    /** Distances to the four sides. */
    sides: [BATCH, 4, cells, cells],
    /** Weight of each cell's sides, 0 outside of defects. */
    sideWeights: [BATCH, 1, cells, cells],
  };
}

export interface BatchOptions extends Augmentation {
  readonly labels: readonly (number | null)[];
  readonly colours: ColourScale;
  /** Side of what the network sees, a multiple of 32. */
  readonly viewSide: number;
  readonly random: Random;
}

const zeros = (dims: readonly number[]) =>
  new Tensor('float32', new Float32Array(dims.reduce((product, side) => product * side, 1)), dims);

/** Inputs and targets of a training step, see {@link batchDims}. */
export function batchTensors(crops: readonly TrainingCrop[], options: BatchOptions) {
  const { labels, colours, viewSide, random } = options;
  const rows = viewSide / STRIDE;
  const cells = rows * rows;
  const classCount = labels.length + 1;
  const dims = batchDims(classCount, viewSide);
  const tensors = {
    image: zeros(dims.image),
    classes: zeros(dims.classes),
    classWeights: zeros(dims.classWeights),
    sides: zeros(dims.sides),
    sideWeights: zeros(dims.sideWeights),
  };
  const { data: images } = tensors.image;
  const { data: classes } = tensors.classes;
  const { data: classWeights } = tensors.classWeights;
  const { data: sides } = tensors.sides;
  const { data: sideWeights } = tensors.sideWeights;
  let positives = 0;
  crops.forEach((crop, example) => {
    const { image, regions } = augmentCrop(crop, viewSide, options, random);
    const planes = colourPlanes(image, colours);
    const contrast = 1 + JITTER * (2 * random.next() - 1);
    const brightness = JITTER * (2 * random.next() - 1);
    for (let i = 0; i < planes.length; i++) planes[i] = planes[i]! * contrast + brightness;
    images.set(planes, example * planes.length);
    const targets = cellTargets(regions, labels, rows, rows);
    for (let cell = 0; cell < cells; cell++) {
      const target = targets.classes[cell]!;
      if (target === IGNORED) continue;
      classes[(example * classCount + target) * cells + cell] = 1;
      classWeights[example * cells + cell] = 1;
      if (target === GOOD) continue;
      positives++;
      sideWeights[example * cells + cell] = SIDE_WEIGHT;
      for (let side = 0; side < 4; side++) sides[(example * 4 + side) * cells + cell] = targets.sides[4 * cell + side]!;
    }
  });
  for (const weights of [classWeights, sideWeights])
    for (let i = 0; i < weights.length; i++) weights[i]! /= Math.max(1, positives);
  return tensors;
}
