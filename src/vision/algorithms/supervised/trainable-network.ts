import type { Random } from '../../types.ts';
import { biasName, type ConvNetwork, type ConvShape, weightCount, weightDims, weightName } from './conv-network.ts';
import { LEAST_VARIANCE, scaleName } from './conv-training.ts';

/** A network as it is trained: its layers but the last are normalised. */
export interface TrainableNetwork {
  readonly shapes: readonly ConvShape[];
  readonly layers: readonly TrainableLayer[];
}

export interface TrainableLayer {
  /** [outputs, inputs, kernel, kernel] */
  readonly weight: Float32Array;
  /** [outputs]; absent in the last layer. */
  readonly scale?: Float32Array;
  /** [outputs] */
  readonly bias: Float32Array;
  /** Of each output before it is normalised, over the last batches; [outputs]. */
  readonly mean: Float32Array;
  readonly variance: Float32Array;
}

/** Share of the usual spread for the last layer: a network that has learned nothing says nothing. */
const LAST_SHARE = 0.1;
/** Share of a batch in the means and variances that are kept. */
const NEWEST = 0.1;

/** Random weights with the spread of He et al. 2015, which keeps the size of signals from layer to layer. */
export function drawNetwork(shapes: readonly ConvShape[], random: Random): TrainableNetwork {
  const layers = shapes.map((shape, layer): TrainableLayer => {
    const last = layer === shapes.length - 1;
    const spread = (last ? LAST_SHARE : 1) * Math.sqrt(2 / (shape.inputs * shape.kernel ** 2));
    const { outputs } = shape;
    return {
      weight: Float32Array.from({ length: weightCount(shape) }, () => spread * random.normal()),
      ...(last ? {} : { scale: new Float32Array(outputs).fill(1) }),
      bias: new Float32Array(outputs),
      mean: new Float32Array(outputs),
      variance: new Float32Array(outputs).fill(1),
    };
  });
  return { shapes, layers };
}

export interface Parameter {
  readonly name: string;
  readonly values: Float32Array;
  readonly dims: readonly number[];
  /** Weights decay, scales and biases do not. */
  readonly decays: boolean;
}

/** All that is learned, as the training graph takes it. */
export function parametersOf({ shapes, layers }: TrainableNetwork): Parameter[] {
  return layers.flatMap(({ weight, scale, bias }, layer) => {
    const shape = shapes[layer];
    if (!shape) return [];
    const dims = [shape.outputs, 1, 1];
    return [
      { name: weightName(layer), values: weight, dims: weightDims(shape), decays: true },
      ...(scale ? [{ name: scaleName(layer), values: scale, dims, decays: false }] : []),
      { name: biasName(layer), values: bias, dims, decays: false },
    ];
  });
}

/** Takes a batch's mean and variance into those that are kept. */
export function noteBatch({ mean, variance }: TrainableLayer, newMean: Float32Array, newVariance: Float32Array): void {
  for (let channel = 0; channel < mean.length; channel++) {
    mean[channel]! += NEWEST * (newMean[channel]! - mean[channel]!);
    variance[channel]! += NEWEST * (newVariance[channel]! - variance[channel]!);
  }
}

/** A network of its own with the same values. */
export function copyNetwork({ shapes, layers }: TrainableNetwork): TrainableNetwork {
  return {
    shapes,
    layers: layers.map(({ weight, scale, bias, mean, variance }) => ({
      weight: weight.slice(),
      ...(scale ? { scale: scale.slice() } : {}),
      bias: bias.slice(),
      mean: mean.slice(),
      variance: variance.slice(),
    })),
  };
}

const valuesOf = ({ weight, scale, bias, mean, variance }: TrainableLayer): Float32Array[] => [
  weight,
  ...(scale ? [scale] : []),
  bias,
  mean,
  variance,
];

/** Moves all that `slow` has learned by a share of the way to `network`, in place: Polyak & Juditsky 1992. */
export function follow(slow: TrainableNetwork, network: TrainableNetwork, share: number): void {
  const goals = network.layers.flatMap(valuesOf);
  slow.layers.flatMap(valuesOf).forEach((values, which) => {
    const goal = goals[which]!;
    for (let i = 0; i < values.length; i++) values[i]! += share * (goal[i]! - values[i]!);
  });
}

/** The network to be used: normalising by the kept means and variances becomes a part of weights and biases. */
export function foldNetwork({ shapes, layers }: TrainableNetwork): ConvNetwork {
  const gains = layers.map(({ scale, variance }) =>
    variance.map((value, channel) => (scale ? scale[channel]! / Math.sqrt(value + LEAST_VARIANCE) : 1)),
  );
  return {
    shapes,
    weights: layers.map(({ weight }, layer) => {
      const each = weight.length / gains[layer]!.length;
      return weight.map((value, index) => value * gains[layer]![Math.floor(index / each)]!);
    }),
    biases: layers.map(({ scale, bias, mean }, layer) =>
      bias.map((value, channel) => (scale ? value - mean[channel]! * gains[layer]![channel]! : value)),
    ),
  };
}
