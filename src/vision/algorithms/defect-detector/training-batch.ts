import { Tensor } from 'onnxruntime-node';
import type { Random } from '../../types.ts';
import { cellTargets, GOOD, IGNORED } from './cell-targets.ts';
import { type ColourScale, colourPlanes, STRIDE } from './detector-network.ts';
import type { LossTargets } from './loss.ts';
import type { Augmentation } from './merge-views.ts';
import { augmentCrop, type TrainingCrop } from './training-crops.ts';

export const BATCH = 16;
/** Shares of a batch: defects, each class equally often, and hard negatives. The rest are other good places. */
const DEFECT_SHARE = 0.7;
const HARD_SHARE = 0.15;
/** Weight of a cell's sides beside its class. */
const SIDE_WEIGHT = 0.5;
/** Largest change of brightness and of contrast by augmentation, in spreads of the colours. */
const JITTER = 0.1;

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

export interface BatchOptions extends Augmentation {
  readonly labels: readonly (number | null)[];
  readonly colours: ColourScale;
  /** Side of what the network sees, a multiple of 32. */
  readonly viewSide: number;
  readonly random: Random;
}

/** Shapes of a batch: the images, and what the network is to find in them. */
export function batchDims(classes: number, viewSide: number) {
  const cells = viewSide / STRIDE;
  return {
    image: [BATCH, 3, viewSide, viewSide],
    classes: [BATCH, classes, cells, cells],
    classWeights: [BATCH, 1, cells, cells],
    sides: [BATCH, 4, cells, cells],
    sideWeights: [BATCH, 1, cells, cells],
  } satisfies LossTargets<number[]> & { image: number[] };
}

/** Inputs and targets of a training step, by the names of the training graph. */
export function batchTensors(
  crops: readonly TrainingCrop[],
  options: BatchOptions,
): LossTargets<Tensor> & { readonly image: Tensor } {
  const { labels, colours, viewSide, random } = options;
  const rows = viewSide / STRIDE;
  const cells = rows * rows;
  const classCount = labels.length + 1;
  const dims = batchDims(classCount, viewSide);
  const zeros = (shape: readonly number[]) => new Float32Array(shape.reduce((product, side) => product * side, 1));
  const images = zeros(dims.image);
  const classes = zeros(dims.classes);
  const classWeights = zeros(dims.classWeights);
  const sides = zeros(dims.sides);
  const sideWeights = zeros(dims.sideWeights);
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
  return {
    image: new Tensor('float32', images, dims.image),
    classes: new Tensor('float32', classes, dims.classes),
    classWeights: new Tensor('float32', classWeights, dims.classWeights),
    sides: new Tensor('float32', sides, dims.sides),
    sideWeights: new Tensor('float32', sideWeights, dims.sideWeights),
  };
}
