import type { Random } from '../../types.ts';
import { biasName, type ConvNetwork, type ConvShape, weightCount, weightDims, weightName } from './conv-network.ts';
import { EPSILON, scaleName } from './conv-training.ts';

/** A network in training: batch normalisation follows all layers but the last. */
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
  /** Running mean and variance of each output before its normalisation, [outputs]. */
  readonly mean: Float32Array;
  readonly variance: Float32Array;
}

/** The last layer starts with this share of the usual spread, so that the first outputs are near 0. */
const LAST_SPREAD = 0.1;
/** Share of a batch in the running mean and variance. */
const MOMENTUM = 0.1;

/** Random weights with the spread of He et al. 2015, which keeps the size of activations from layer to layer. */
export function drawNetwork(shapes: readonly ConvShape[], random: Random): TrainableNetwork {
  const layers = shapes.map((shape, layer): TrainableLayer => {
    const { inputs, outputs, kernel } = shape;
    const isLast = layer === shapes.length - 1;
    const spread = (isLast ? LAST_SPREAD : 1) * Math.sqrt(2 / (inputs * kernel ** 2));
    return {
      weight: Float32Array.from({ length: weightCount(shape) }, () => spread * random.normal()),
      ...(!isLast && { scale: new Float32Array(outputs).fill(1) }),
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
  /** Weights decay; scales and biases do not. */
  readonly decays: boolean;
}

/** All learned arrays with their names in the training graph. */
export function parametersOf({ shapes, layers }: TrainableNetwork): Parameter[] {
  return layers.flatMap(({ weight, scale, bias }, layer) => {
    const shape = shapes[layer]!;
    const dims = [shape.outputs, 1, 1];
    return [
      { name: weightName(layer), values: weight, dims: weightDims(shape), decays: true },
      ...(scale ? [{ name: scaleName(layer), values: scale, dims, decays: false }] : []),
      { name: biasName(layer), values: bias, dims, decays: false },
    ];
  });
}

/** Moves the values a share of the way to the target, in place. */
function moveTowards(values: Float32Array, target: Float32Array, share: number): void {
  for (let i = 0; i < values.length; i++) values[i]! += share * (target[i]! - values[i]!);
}

/** Takes the mean and variance of a batch into the running ones. */
export function noteBatch(layer: TrainableLayer, mean: Float32Array, variance: Float32Array): void {
  moveTowards(layer.mean, mean, MOMENTUM);
  moveTowards(layer.variance, variance, MOMENTUM);
}

/** Moves the averaged network a share of the way to the trained one, in place (Polyak & Juditsky 1992). */
export function updateAverage(averaged: TrainableNetwork, network: TrainableNetwork, share: number): void {
  network.layers.forEach((layer, index) => {
    const average = Object.values(averaged.layers[index]!);
    Object.values(layer).forEach((values, which) => {
      moveTowards(average[which]!, values, share);
    });
  });
}

/** The network for inference: batch normalisation becomes part of weights and biases. */
export function foldNetwork({ shapes, layers }: TrainableNetwork): ConvNetwork {
  const gains = layers.map(({ scale, variance }) =>
    variance.map((value, channel) => (scale ? scale[channel]! / Math.sqrt(value + EPSILON) : 1)),
  );
  return {
    shapes,
    weights: layers.map(({ weight }, layer) => {
      const perOutput = weight.length / gains[layer]!.length;
      return weight.map((value, index) => value * gains[layer]![Math.floor(index / perOutput)]!);
    }),
    biases: layers.map(({ scale, bias, mean }, layer) =>
      bias.map((value, channel) => (scale ? value - mean[channel]! * gains[layer]![channel]! : value)),
    ),
  };
}
