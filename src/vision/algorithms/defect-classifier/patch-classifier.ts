import { multiplyMap } from '../../anomaly-map/map-scorer.ts';
import { type Matrix, softmaxRows, transposed } from '../../math/matrix.ts';
import { GraphBuilder } from '../../onnx/graph-builder.ts';
import { matrixTensor } from '../../onnx/open-matrix-product.ts';
import { openSession } from '../../onnx/open-session.ts';
import type { Training } from '../../training/with-training.ts';
import type { Random, ScoreMap } from '../../types.ts';
import { throwIfCancelled } from '../../vision-error.ts';
import { openAdam } from '../supervised/adam.ts';

/** Two layers: max(0, x·W₁ + b₁)·W₂ + b₂. */
export interface Perceptron {
  /** W₁, [inputs, hidden] */
  readonly first: Matrix;
  /** b₁, [hidden] */
  readonly firstBias: Float32Array;
  /** W₂, [hidden, classes] */
  readonly second: Matrix;
  /** b₂, [classes] */
  readonly secondBias: Float32Array;
}

const HIDDEN = 32;
const STEPS = 200;
const BATCH = 128;
const LEARNING_RATE = 0.005;
const WEIGHT_DECAY = 0.05;
/** Cells with at least this share of the map's highest score are the defect. */
const DEFECT_SHARE = 0.7;

/** Mean of the columns and 1 / RMS of what remains. One scale for all columns, so that the axes keep their weight. */
function normalisation({ rows, columns, data }: Matrix): { mean: Float64Array; scale: number } {
  const mean = new Float64Array(columns);
  for (let i = 0; i < data.length; i++) mean[i % columns]! += data[i]! / rows;
  let squares = 0;
  for (let i = 0; i < data.length; i++) squares += (data[i]! - mean[i % columns]!) ** 2;
  return { mean, scale: Math.sqrt(data.length / Math.max(squares, 1e-12)) };
}

/** The same network for inputs that are not normalised: (x − mean)·scale becomes part of the first layer. */
function foldNormalisation(network: Perceptron, mean: Float64Array, scale: number): Perceptron {
  const { rows, columns, data } = network.first;
  const first = data.map((weight) => weight * scale);
  const firstBias = Float32Array.from(network.firstBias);
  for (let row = 0; row < rows; row++)
    for (let unit = 0; unit < columns; unit++) firstBias[unit]! -= mean[row]! * first[row * columns + unit]!;
  return { ...network, first: { rows, columns, data: first }, firstBias };
}

/** Random weights with the spread of He et al. 2015. */
function drawPerceptron(inputs: number, classes: number, random: Random): Perceptron {
  const normal = (rows: number, columns: number, spread: number): Matrix => {
    const data = Float32Array.from({ length: rows * columns }, () => spread * random.normal());
    return { rows, columns, data };
  };
  return {
    first: normal(inputs, HIDDEN, Math.sqrt(2 / inputs)),
    firstBias: new Float32Array(HIDDEN),
    second: normal(HIDDEN, classes, Math.sqrt(1 / HIDDEN)),
    secondBias: new Float32Array(classes),
  };
}

function addBias({ data }: Matrix, bias: Float32Array): void {
  for (let i = 0; i < data.length; i++) data[i] = data[i]! + bias[i % bias.length]!;
}

function columnSums({ columns, data }: Matrix): Float32Array {
  const sums = new Float64Array(columns);
  for (let i = 0; i < data.length; i++) sums[i % columns]! += data[i]!;
  return Float32Array.from(sums);
}

/**
 * Trains a perceptron to tell patches of some classes apart: cross entropy, Adam, a learning rate that falls along a
 * half cosine. Half of each batch is of the first class, the rest in equal parts of the others, whatever their numbers.
 * @param classes patches of each class, [patches, dims], none empty
 * @throws VisionError `cancelled`
 */
export async function trainPatchClassifier(
  classes: readonly Matrix[],
  { random, product, signal }: Pick<Training, 'random' | 'product' | 'signal'>,
): Promise<Perceptron> {
  const [good] = classes;
  if (!good) throw new RangeError('trainPatchClassifier needs at least one class');
  const { mean, scale } = normalisation(good);
  const dims = good.columns;
  const labels = new Uint8Array(BATCH);
  const drawBatch = (): Matrix => {
    const data = new Float32Array(BATCH * dims);
    for (let i = 0; i < BATCH; i++) {
      const label = i < BATCH / 2 || classes.length === 1 ? 0 : 1 + (i % (classes.length - 1));
      const source = classes[label] ?? good;
      const from = random.integer(source.rows) * dims;
      for (let d = 0; d < dims; d++) data[i * dims + d] = (source.data[from + d]! - mean[d]!) * scale;
      labels[i] = label;
    }
    return { rows: BATCH, columns: dims, data };
  };
  const network = drawPerceptron(dims, classes.length, random);
  const { first, firstBias, second, secondBias } = network;
  const step = openAdam([first.data, firstBias, second.data, secondBias], [WEIGHT_DECAY, 0, WEIGHT_DECAY, 0]);
  for (let done = 0; done < STEPS; done++) {
    throwIfCancelled(signal);
    const inputs = drawBatch();
    const hidden = await product.multiply(inputs, first);
    addBias(hidden, firstBias);
    for (let i = 0; i < hidden.data.length; i++) hidden.data[i] = Math.max(0, hidden.data[i]!);
    const outputs = await product.multiply(hidden, second);
    addBias(outputs, secondBias);
    // From here on `outputs` holds the gradient of the loss: probabilities minus truth, over the batch.
    softmaxRows(outputs.data, classes.length);
    labels.forEach((label, row) => {
      outputs.data[row * classes.length + label]! -= 1;
    });
    for (let i = 0; i < outputs.data.length; i++) outputs.data[i]! /= BATCH;
    const back = await product.multiply(outputs, transposed(second));
    for (let i = 0; i < back.data.length; i++) if (hidden.data[i] === 0) back.data[i] = 0;
    const firstGradient = await product.multiplyTransposed(inputs, back);
    const secondGradient = await product.multiplyTransposed(hidden, outputs);
    const gradients = [firstGradient.data, columnSums(back), secondGradient.data, columnSums(outputs)];
    step(gradients, (LEARNING_RATE * (1 + Math.cos((Math.PI * done) / STEPS))) / 2);
  }
  return foldNormalisation(network, mean, scale);
}

function classifierGraph({ first, firstBias, second, secondBias }: Perceptron): Uint8Array {
  const graph = new GraphBuilder();
  const factor = ({ rows, columns, data }: Matrix) => graph.constant(data, [rows, columns]);
  const patches = graph.input('patches', ['patches', first.rows]);
  const linear = graph.add('Gemm', [patches, factor(first), graph.constant(firstBias)]);
  const hidden = graph.add('Relu', [linear]);
  graph.output('logits', graph.add('Gemm', [hidden, factor(second), graph.constant(secondBias)]));
  return graph.encode();
}

export type PatchClassifier = Awaited<ReturnType<typeof openPatchClassifier>>;

export async function openPatchClassifier(network: Perceptron, threads = 1) {
  const session = await openSession(classifierGraph(network), threads);
  const classes = network.second.columns;
  return {
    /** The probability of each class for each patch. [patches, classes] */
    async classify(patches: Matrix): Promise<Matrix> {
      const { logits } = await session.run({ patches: matrixTensor(patches) });
      const data = logits?.data as Float32Array;
      softmaxRows(data, classes);
      return { rows: patches.rows, columns: classes, data };
    },
    dispose: () => session.release(),
  };
}

/**
 * Factors of the distances: above 1 where a patch looks like a known defect, below 1 where it looks good. [patches]
 * @param classes probabilities of good and of each defect class, [patches, classes] @param weight 0 gives no factors
 */
export function defectFactors({ rows, columns, data }: Matrix, weight: number): Float64Array | undefined {
  if (weight === 0) return undefined;
  return Float64Array.from({ length: rows }, (_, patch) => {
    const defect = 1 - data[patch * columns]!;
    return 1 + weight * (defect - 0.5);
  });
}

/** Distances multiplied by {@link defectFactors}. */
export const weightDistances = (distances: ScoreMap, classes: Matrix, weight: number): ScoreMap =>
  multiplyMap(distances, defectFactors(classes, weight));

/** The most anomalous cells. */
export function defectCells({ data }: ScoreMap): number[] {
  let highest = 0;
  for (const value of data) highest = Math.max(highest, value);
  return [...data.keys()].filter((cell) => data[cell]! >= DEFECT_SHARE * highest);
}

/** Index of the most probable defect class, 1 or more, over the most anomalous cells, weighted by their scores. */
export function likeliestDefect(map: ScoreMap, { columns, data }: Matrix): number {
  const votes = new Float64Array(columns);
  for (const cell of defectCells(map))
    for (let index = 1; index < columns; index++) votes[index]! += map.data[cell]! * data[cell * columns + index]!;
  return votes.indexOf(Math.max(...votes.subarray(1)), 1);
}
