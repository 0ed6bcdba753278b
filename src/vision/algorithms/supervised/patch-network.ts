import { Tensor } from 'onnxruntime-node';
import type { Matrix } from '../../math/matrix.ts';
import { softmaxRows } from '../../math/softmax.ts';
import type { OnnxGraph } from '../../onnx/onnx-model.ts';
import type { MatrixProduct } from '../../onnx/open-matrix-product.ts';
import { openSession } from '../../onnx/open-session.ts';
import type { Random } from '../../types.ts';
import { type Perceptron, trainPerceptron } from './perceptron.ts';

const HIDDEN = 32;
const STEPS = 200;
const BATCH = 128;
const LEARNING_RATE = 0.005;
const DECAY = 0.05;

/** Mean of the columns, and one over the root mean square of what is left: one scale, so that the axes keep their weight. */
export function scaling({ rows, columns, data }: Matrix): { mean: Float64Array; scale: number } {
  const mean = new Float64Array(columns);
  for (let i = 0; i < data.length; i++) mean[i % columns]! += data[i]! / rows;
  let squares = 0;
  for (let i = 0; i < data.length; i++) squares += (data[i]! - mean[i % columns]!) ** 2;
  return { mean, scale: Math.sqrt(data.length / Math.max(squares, 1e-12)) };
}

/** The same network for inputs as they are, (x − mean)·scale put into the first layer. */
export function foldScaling(network: Perceptron, mean: Float64Array, scale: number): Perceptron {
  const { rows, columns, data } = network.first;
  const first = data.map((weight) => weight * scale);
  const firstBias = Float32Array.from(network.firstBias);
  for (let row = 0; row < rows; row++)
    for (let unit = 0; unit < columns; unit++) firstBias[unit]! -= mean[row]! * first[row * columns + unit]!;
  return { ...network, first: { rows, columns, data: first }, firstBias };
}

export interface PatchNetworkTraining {
  readonly random: Random;
  readonly product: MatrixProduct;
  readonly signal: AbortSignal;
}

/**
 * Learns to tell patches of some classes apart; half of each batch is of the first class, the rest in equal parts of
 * the others, whatever their numbers.
 * @param classes patches of each class, [patches, dims], none empty
 */
export async function trainPatchNetwork(
  classes: readonly Matrix[],
  { random, product, signal }: PatchNetworkTraining,
): Promise<Perceptron> {
  const [good] = classes;
  if (!good) throw new RangeError('trainPatchNetwork needs at least one class');
  const { mean, scale } = scaling(good);
  const dims = good.columns;
  const drawn = new Uint8Array(BATCH);
  const batch = (): Matrix => {
    const data = new Float32Array(BATCH * dims);
    for (let i = 0; i < BATCH; i++) {
      const kind = i < BATCH / 2 || classes.length === 1 ? 0 : 1 + (i % (classes.length - 1));
      const source = classes[kind] ?? good;
      const from = random.integer(source.rows) * dims;
      for (let d = 0; d < dims; d++) data[i * dims + d] = (source.data[from + d]! - mean[d]!) * scale;
      drawn[i] = kind;
    }
    return { rows: BATCH, columns: dims, data };
  };
  const network = await trainPerceptron(dims, {
    hidden: HIDDEN,
    outputs: classes.length,
    steps: STEPS,
    learningRate: LEARNING_RATE,
    decay: DECAY,
    random,
    product,
    signal,
    batch,
    gradient({ data }) {
      softmaxRows(data, classes.length);
      drawn.forEach((kind, row) => {
        data[row * classes.length + kind]! -= 1;
      });
      for (let i = 0; i < data.length; i++) data[i]! /= BATCH;
    },
  });
  return foldScaling(network, mean, scale);
}

export interface PatchNetwork {
  /** For each patch the probability of each class, then its other outputs as they are. [patches, outputs] */
  probabilities(patches: Matrix): Promise<Matrix>;
  dispose(): Promise<void>;
}

function networkGraph({ first, firstBias, second, secondBias }: Perceptron): OnnxGraph {
  return {
    inputs: [{ name: 'patches', dims: ['patches', first.rows] }],
    outputs: [{ name: 'outputs', dims: ['patches', second.columns] }],
    constants: [
      { name: 'first', dims: [first.rows, first.columns], data: first.data },
      { name: 'first_bias', dims: [first.columns], data: firstBias },
      { name: 'second', dims: [second.rows, second.columns], data: second.data },
      { name: 'second_bias', dims: [second.columns], data: secondBias },
    ],
    nodes: [
      { op: 'Gemm', inputs: ['patches', 'first', 'first_bias'], outputs: ['linear'] },
      { op: 'Relu', inputs: ['linear'], outputs: ['hidden'] },
      { op: 'Gemm', inputs: ['hidden', 'second', 'second_bias'], outputs: ['outputs'] },
    ],
  };
}

/** Opens a trained network; its first `classes` outputs are classes. */
export async function openPatchNetwork(
  network: Perceptron,
  threads = 1,
  classes = network.second.columns,
): Promise<PatchNetwork> {
  const session = await openSession(networkGraph(network), threads);
  return {
    async probabilities(patches) {
      const tensor = new Tensor('float32', patches.data, [patches.rows, patches.columns]);
      const { outputs } = await session.run({ patches: tensor });
      const data = outputs?.data as Float32Array;
      softmaxRows(data, network.second.columns, classes);
      return { rows: patches.rows, columns: network.second.columns, data };
    },
    dispose: () => session.release(),
  };
}
