import { foldScaling, scaling } from '../../components/patch-network.ts';
import { type Perceptron, runPerceptron, trainPerceptron } from '../../components/perceptron.ts';
import { softmaxRows } from '../../math/softmax.ts';
import type { Matrix, MatrixProduct } from '../../onnx/open-matrix-product.ts';
import type { Random } from '../../types.ts';
import type { CellTarget } from './cell-targets.ts';
import type { CellSet } from './collect-cells.ts';

const HIDDEN = 192;
const BATCH = 256;
const LEARNING_RATE = 0.002;
const DECAY = 0.01;
/** Shares of a batch: defects, good cells near them, good cells that an earlier network took for defects. */
const [DEFECTS, NEAR, HARD] = [0.4, 0.15, 0.25];
/** Good cells that the first network is less sure of than this are hard. */
const SURE = 0.9;
/** Part of the steps that the first network, which only looks for hard cells, is given. */
const FIRST = 1 / 3;
const CHUNK = 2048;

export interface CellTraining {
  readonly steps: number;
  readonly random: Random;
  readonly product: MatrixProduct;
  readonly signal: AbortSignal;
}

interface Row {
  readonly inputs: Float32Array;
  readonly target: CellTarget;
  /** 0 good, otherwise 1 + the number of its class. */
  readonly kind: number;
}

interface Pools {
  readonly classes: readonly (readonly Row[])[];
  readonly near: readonly Row[];
  readonly good: readonly Row[];
  readonly hard: readonly Row[];
}

/** Classes that occur, in ascending order; regions without a number last. */
export function labelsOf(sets: readonly CellSet[]): (number | null)[] {
  const found = new Set(sets.flatMap(({ targets }) => targets.flatMap(({ region }) => (region ? [region.label] : []))));
  const numbers = [...found].filter((label) => label !== null).sort((a, b) => a - b);
  return found.has(null) ? [...numbers, null] : numbers;
}

function toRows(sets: readonly CellSet[], labels: readonly (number | null)[]): Row[] {
  return sets.flatMap(({ inputs: { columns, data }, targets }) =>
    targets.map((target, row) => {
      const kind = target.region ? 1 + labels.indexOf(target.region.label) : 0;
      return { inputs: data.subarray(row * columns, (row + 1) * columns), target, kind };
    }),
  );
}

function drawRow(share: number, { classes, near, good, hard }: Pools, random: Random): Row | undefined {
  const pick = (rows: readonly Row[] | undefined): Row | undefined => rows?.[random.integer(Math.max(1, rows.length))];
  if (share < DEFECTS) return pick(classes[random.integer(classes.length)]);
  if (share < DEFECTS + NEAR && near.length > 0) return pick(near);
  if (share < DEFECTS + NEAR + HARD && hard.length > 0) return pick(hard);
  return pick(good.length > 0 ? good : near);
}

/** Cross entropy of the class for all, Huber's loss of the lengths for defects; as slopes, in place. */
function lossSlopes({ columns, data }: Matrix, rows: readonly Row[]): void {
  const kinds = columns - 4;
  softmaxRows(data, columns, kinds);
  rows.forEach(({ kind, target }, row) => {
    const start = row * columns;
    data[start + kind]! -= 1;
    for (let side = 0; side < 4; side++) {
      const at = start + kinds + side;
      const error = target.lengths ? data[at]! - target.lengths[side]! : 0;
      data[at] = Math.max(-0.5, Math.min(0.5, error));
    }
    for (let i = start; i < start + columns; i++) data[i]! /= rows.length;
  });
}

interface Scaling {
  /** [inputs] */
  readonly mean: Float64Array;
  readonly scale: number;
}

function stackInputs(rows: readonly Row[], { mean, scale }: Scaling): Matrix {
  const columns = mean.length;
  const data = new Float32Array(rows.length * columns);
  rows.forEach(({ inputs }, row) => {
    for (let i = 0; i < columns; i++) data[row * columns + i] = (inputs[i]! - mean[i]!) * scale;
  });
  return { rows: rows.length, columns, data };
}

function trainOn(pools: Pools, scaled: Scaling, steps: number, { random, product, signal }: CellTraining) {
  let rows: Row[] = [];
  return trainPerceptron(scaled.mean.length, {
    hidden: HIDDEN,
    outputs: 1 + pools.classes.length + 4,
    steps,
    learningRate: LEARNING_RATE,
    decay: DECAY,
    random,
    product,
    signal,
    batch() {
      rows = Array.from({ length: BATCH }, (_, i) => drawRow(i / BATCH, pools, random) ?? []).flat();
      return stackInputs(rows, scaled);
    },
    gradient: (outputs) => lossSlopes(outputs, rows),
  });
}

async function hardRows(rows: readonly Row[], scaled: Scaling, network: Perceptron, { product }: CellTraining) {
  const hard: Row[] = [];
  const kinds = network.second.columns - 4;
  for (let start = 0; start < rows.length; start += CHUNK) {
    const part = rows.slice(start, start + CHUNK);
    const { columns, data } = await runPerceptron(stackInputs(part, scaled), network, product);
    softmaxRows(data, columns, kinds);
    hard.push(...part.filter((_, row) => data[row * columns]! < SURE));
  }
  return hard;
}

/**
 * Learns for a cell which class it is of and how far the defect's sides are: a first network finds the good cells that
 * are hard to tell from defects, the one that is kept sees them more often.
 * @returns a network with outputs [good, classes…, left, top, right, bottom]
 */
export async function trainCells(
  sets: readonly CellSet[],
  labels: readonly (number | null)[],
  training: CellTraining,
): Promise<Perceptron> {
  const rows = toRows(sets, labels);
  const [first] = sets;
  if (!first) throw new RangeError('trainCells needs at least one image');
  const scaled = scaling(first.inputs);
  const of = (role: CellTarget['role']): Row[] => rows.filter(({ target }) => target.role === role);
  const classes = labels.map((_, index) => rows.filter(({ kind }) => kind === index + 1));
  const easy = { classes, near: of('near'), good: of('good'), hard: [] };
  const scout = await trainOn(easy, scaled, Math.ceil(training.steps * FIRST), training);
  const hard = await hardRows([...easy.near, ...easy.good], scaled, scout, training);
  return foldScaling(await trainOn({ ...easy, hard }, scaled, training.steps, training), scaled.mean, scaled.scale);
}
