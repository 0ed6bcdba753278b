import { Tensor } from 'onnxruntime-node';
import type { LabelledRegion, Random, Rectangle } from '../../types.ts';
import { SIDE_UNIT } from './detector-network.ts';
import { decodeFeatures } from './feature-scale.ts';
import { cutPart, RIM, type TrainingCrop } from './training-crops.ts';

const BATCH = 16;
/** Each part of a batch is normalised and computed on its own, on another thread where there is one. */
export const PARTS = 2;
/** Crops in a part of a batch. */
export const EXAMPLES = BATCH / PARTS;
/** Crops of a batch that show defects, each class equally often, and hard negatives. The rest are other good places. */
const DEFECTS = 10;
const HARD = 4;
/** Weight of a cell's sides beside its class. */
const SIDE_WEIGHT = 0.5;
/** Cells within this share of a defect's sides from its centre are positive: centre sampling (Tian et al. 2019, FCOS). */
const CORE = 0.25;
/** Least half of a core in cells, so that every defect has a positive cell. */
const MIN_CORE = 0.75;
/** Cells at most this far from a core are ignored. Farther ones are negative: each defect is found in one place only. */
const BAND = 0.5;
/** In longer defects a cell beside the core looks like one in the core, so all cells beside it are ignored. */
const LONG = 10;

export const GOOD = 0;
export const IGNORED = -1;

/** Crops to draw batches from. */
export interface CropPools {
  /** Crops of each class, none empty. */
  readonly classes: readonly (readonly TrainingCrop[])[];
  readonly good: readonly TrainingCrop[];
  readonly hard: readonly TrainingCrop[];
}

/** Draws the crops of a batch's parts. Without hard or good crops, others take their place. */
export function drawBatch({ classes, good, hard }: CropPools, random: Random): TrainingCrop[][] {
  const crops = Array.from({ length: BATCH }, (_, index) => {
    const defects = classes[random.integer(classes.length)]!;
    const negatives = index < DEFECTS + HARD && hard.length > 0 ? hard : good;
    const pool = index < DEFECTS || negatives.length === 0 ? defects : negatives;
    return pool[random.integer(pool.length)]!;
  });
  return Array.from({ length: PARTS }, (_, part) => crops.filter((_, index) => index % PARTS === part));
}

/** A region's core and `margin` cells beside it. */
function coreOf({ xMin, yMin, xMax, yMax }: LabelledRegion, margin: number): Rectangle {
  const half = (side: number): number => Math.max(MIN_CORE, CORE * side) + margin;
  const [x, y] = [(xMin + xMax) / 2, (yMin + yMax) / 2];
  const [width, height] = [half(xMax - xMin), half(yMax - yMin)];
  return { xMin: x - width, yMin: y - height, xMax: x + width, yMax: y + height };
}

/**
 * What the network is to learn for each cell of a crop.
 * @param regions in cells of the crop. Regions of a label that is not among `labels` are ignored.
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
  /** Marks the cells whose centres lie in a part of a region. */
  const mark = (region: LabelledRegion, part: Rectangle, value: number): void => {
    const bottom = Math.min(rows - 1, Math.floor(part.yMax - 0.5));
    const right = Math.min(columns - 1, Math.floor(part.xMax - 0.5));
    for (let row = Math.max(0, Math.ceil(part.yMin - 0.5)); row <= bottom; row++)
      for (let column = Math.max(0, Math.ceil(part.xMin - 0.5)); column <= right; column++) {
        const cell = row * columns + column;
        classes[cell] = value;
        sides[4 * cell] = (column + 0.5 - region.xMin) / SIDE_UNIT;
        sides[4 * cell + 1] = (row + 0.5 - region.yMin) / SIDE_UNIT;
        sides[4 * cell + 2] = (region.xMax - column - 0.5) / SIDE_UNIT;
        sides[4 * cell + 3] = (region.yMax - row - 0.5) / SIDE_UNIT;
      }
  };
  const areaOf = ({ xMin, xMax, yMin, yMax }: LabelledRegion): number => (xMax - xMin) * (yMax - yMin);
  // Of two defects in the same place the smaller is marked last.
  const sorted = regions.toSorted((a, b) => areaOf(b) - areaOf(a));
  for (const region of sorted) {
    const { xMin, yMin, xMax, yMax, label } = region;
    const isWhole = labels.includes(label) && Math.max(xMax - xMin, yMax - yMin) <= LONG;
    const near = { xMin: xMin - RIM, yMin: yMin - RIM, xMax: xMax + RIM, yMax: yMax + RIM };
    mark(region, isWhole ? coreOf(region, BAND) : near, IGNORED);
  }
  for (const region of sorted) {
    const index = labels.indexOf(region.label);
    if (index >= 0) mark(region, coreOf(region, 0), index + 1);
  }
  return { classes, sides };
}

/**
 * Shapes of the tensors of a part of a batch, by the names of the training graph's inputs.
 * @param channels of the features @param side of what the network sees, in cells
 */
export function batchDims(channels: number, classes: number, side: number) {
  return {
    features: [EXAMPLES, channels, side, side],
    /** One-hot class of each cell. */
    classes: [EXAMPLES, classes, side, side],
    /** Weight of each cell's class, 0: ignored. */
    classWeights: [EXAMPLES, 1, side, side],
    /** Distances to the four sides. */
    sides: [EXAMPLES, 4, side, side],
    /** Weight of each cell's sides, 0 outside of defects. */
    sideWeights: [EXAMPLES, 1, side, side],
  };
}

export interface BatchOptions {
  readonly labels: readonly (number | null)[];
  readonly channels: number;
  /** Of what the network sees, in cells. */
  readonly side: number;
  readonly random: Random;
}

const zeros = (dims: readonly number[]) =>
  new Tensor('float32', new Float32Array(dims.reduce((product, side) => product * side, 1)), dims);

/** Inputs and targets of a part of a batch, see {@link batchDims}. */
export function batchTensors(crops: readonly TrainingCrop[], options: BatchOptions) {
  const { labels, channels, side, random } = options;
  const cells = side * side;
  const classCount = labels.length + 1;
  const dims = batchDims(channels, classCount, side);
  const tensors = {
    features: zeros(dims.features),
    classes: zeros(dims.classes),
    classWeights: zeros(dims.classWeights),
    sides: zeros(dims.sides),
    sideWeights: zeros(dims.sideWeights),
  };
  const { data: features } = tensors.features;
  const { data: classes } = tensors.classes;
  const { data: classWeights } = tensors.classWeights;
  const { data: sides } = tensors.sides;
  const { data: sideWeights } = tensors.sideWeights;
  let positives = 0;
  crops.forEach((crop, example) => {
    const { codes, regions } = cutPart(crop, side, random);
    decodeFeatures(codes, features.subarray(example * codes.length, (example + 1) * codes.length), channels);
    const targets = cellTargets(regions, labels, side, side);
    for (let cell = 0; cell < cells; cell++) {
      const target = targets.classes[cell]!;
      if (target === IGNORED) continue;
      classes[(example * classCount + target) * cells + cell] = 1;
      classWeights[example * cells + cell] = 1;
      if (target === GOOD) continue;
      positives++;
      sideWeights[example * cells + cell] = SIDE_WEIGHT;
      for (let edge = 0; edge < 4; edge++) sides[(example * 4 + edge) * cells + cell] = targets.sides[4 * cell + edge]!;
    }
  });
  for (const weights of [classWeights, sideWeights])
    for (let i = 0; i < weights.length; i++) weights[i]! /= Math.max(1, positives);
  return tensors;
}
