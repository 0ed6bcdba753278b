import type { Matrix } from '../../math/matrix.ts';
import { transposed } from '../../math/transposed.ts';
import type { MatrixProduct } from '../../onnx/open-matrix-product.ts';
import type { Random } from '../../types.ts';
import { throwIfCancelled } from '../../vision-error.ts';
import { openAdam } from './adam.ts';

/** Two layers: max(0, x·W₁ + b₁)·W₂ + b₂. */
export interface Perceptron {
  /** [inputs, hidden] */
  readonly first: Matrix;
  /** [hidden] */
  readonly firstBias: Float32Array;
  /** [hidden, outputs] */
  readonly second: Matrix;
  /** [outputs] */
  readonly secondBias: Float32Array;
}

export interface PerceptronTraining {
  readonly hidden: number;
  readonly outputs: number;
  readonly steps: number;
  readonly learningRate: number;
  /** Share of the weights that a step of full length takes away (Loshchilov & Hutter 2019). */
  readonly decay: number;
  readonly random: Random;
  readonly product: MatrixProduct;
  readonly signal: AbortSignal;
  /** The inputs of a step, [batch, inputs]. */
  batch(step: number): Promise<Matrix> | Matrix;
  /** Replaces the outputs for the last batch, [batch, outputs], by the gradient of the loss with respect to them. */
  gradient(outputs: Matrix): void;
}

function addBias({ data }: Matrix, bias: Float32Array, lowest: number): void {
  for (let i = 0; i < data.length; i++) data[i] = Math.max(lowest, data[i]! + bias[i % bias.length]!);
}

function columnSums({ columns, data }: Matrix): Float32Array {
  const sums = new Float64Array(columns);
  for (let i = 0; i < data.length; i++) sums[i % columns]! += data[i]!;
  return Float32Array.from(sums);
}

async function forward(x: Matrix, { first, firstBias, second, secondBias }: Perceptron, product: MatrixProduct) {
  const hidden = await product.multiply(x, first);
  addBias(hidden, firstBias, 0);
  const outputs = await product.multiply(hidden, second);
  addBias(outputs, secondBias, Number.NEGATIVE_INFINITY);
  return { hidden, outputs };
}

/** The network's outputs for each row of `inputs`, [rows, outputs]. */
export async function runPerceptron(inputs: Matrix, network: Perceptron, product: MatrixProduct): Promise<Matrix> {
  return (await forward(inputs, network, product)).outputs;
}

/** Gradients in the order of {@link weightsOf}. */
async function gradients(x: Matrix, network: Perceptron, { product, gradient }: PerceptronTraining) {
  const { hidden, outputs } = await forward(x, network, product);
  gradient(outputs);
  const back = await product.multiply(outputs, transposed(network.second));
  for (let i = 0; i < back.data.length; i++) if (hidden.data[i] === 0) back.data[i] = 0;
  const first = await product.multiplyTransposed(x, back);
  const second = await product.multiplyTransposed(hidden, outputs);
  return [first.data, columnSums(back), second.data, columnSums(outputs)];
}

const weightsOf = ({ first, firstBias, second, secondBias }: Perceptron): Float32Array[] => [
  first.data,
  firstBias,
  second.data,
  secondBias,
];

function drawPerceptron(inputs: number, { hidden, outputs, random }: PerceptronTraining): Perceptron {
  const normal = (rows: number, columns: number, scale: number): Matrix => {
    const data = Float32Array.from({ length: rows * columns }, () => scale * random.normal());
    return { rows, columns, data };
  };
  return {
    first: normal(inputs, hidden, Math.sqrt(2 / inputs)),
    firstBias: new Float32Array(hidden),
    second: normal(hidden, outputs, Math.sqrt(1 / hidden)),
    secondBias: new Float32Array(outputs),
  };
}

/**
 * Trains a perceptron by stochastic gradients, its products in native code; the learning rate falls along a half cosine.
 * @throws VisionError `cancelled`
 */
export async function trainPerceptron(inputs: number, training: PerceptronTraining): Promise<Perceptron> {
  const network = drawPerceptron(inputs, training);
  const { decay } = training;
  const descend = openAdam(weightsOf(network), [decay, 0, decay, 0]);
  for (let step = 0; step < training.steps; step++) {
    throwIfCancelled(training.signal);
    const slopes = await gradients(await training.batch(step), network, training);
    descend(slopes, (training.learningRate * (1 + Math.cos((Math.PI * step) / training.steps))) / 2);
  }
  return network;
}
