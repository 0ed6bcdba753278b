import type { GraphBuilder, GraphValue } from '../../onnx/graph-builder.ts';
import type { Random } from '../../types.ts';
import { type ConvLayer, type ConvShape, convAttributes, weightDims } from './detector-network.ts';

/** A layer in training. Batch normalisation (Ioffe & Szegedy 2015) follows all layers but the last. */
export interface TrainableLayer extends ConvLayer {
  /** [outputs]; absent in the last layer. */
  readonly scale?: Float32Array;
  /** Running mean and variance of each output before its normalisation, [outputs]. */
  readonly mean: Float32Array;
  readonly variance: Float32Array;
}

/** The last layer starts with this share of the usual spread, so that the first outputs are near 0. */
const LAST_SPREAD = 0.1;
/** Share of a batch in the running mean and variance. */
const MOMENTUM = 0.1;
/** Added to variances against a division by 0. */
const EPSILON = 1e-5;

/** Random weights with the spread of He et al. 2015, which keeps the size of activations from layer to layer. */
export function drawNetwork(shapes: readonly ConvShape[], random: Random): TrainableLayer[] {
  return shapes.map((shape, index) => {
    const { inputs, outputs, kernel } = shape;
    const isLast = index === shapes.length - 1;
    const spread = (isLast ? LAST_SPREAD : 1) * Math.sqrt(2 / (inputs * kernel ** 2));
    return {
      shape,
      weight: Float32Array.from({ length: outputs * inputs * kernel ** 2 }, () => spread * random.normal()),
      ...(!isLast && { scale: new Float32Array(outputs).fill(1) }),
      bias: new Float32Array(outputs),
      mean: new Float32Array(outputs),
      variance: new Float32Array(outputs).fill(1),
    };
  });
}

/** Name in the training graph of a layer's input or result. */
export const nameOf = (kind: 'weight' | 'scale' | 'bias' | 'mean' | 'variance', layer: number): string =>
  `${kind}_${layer}`;

/** Name of the gradient of the loss by a weight, a scale or a bias. */
export const gradientName = (of: string): string => `gradient_${of}`;

export interface Parameter {
  readonly name: string;
  readonly values: Float32Array;
  readonly dims: readonly number[];
  /** A convolution's weights, neither scales nor biases. */
  readonly isWeight: boolean;
}

/** All learned arrays with their names in the training graph. */
export function parametersOf(layers: readonly TrainableLayer[]): Parameter[] {
  return layers.flatMap(({ shape, weight, scale, bias }, layer) => {
    const dims = [shape.outputs, 1, 1];
    return [
      { name: nameOf('weight', layer), values: weight, dims: weightDims(shape), isWeight: true },
      ...(scale ? [{ name: nameOf('scale', layer), values: scale, dims, isWeight: false }] : []),
      { name: nameOf('bias', layer), values: bias, dims, isWeight: false },
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
export function updateAverage(
  averaged: readonly TrainableLayer[],
  network: readonly TrainableLayer[],
  share: number,
): void {
  for (const [index, layer] of network.entries())
    for (const kind of ['weight', 'scale', 'bias', 'mean', 'variance'] as const) {
      const values = averaged[index]?.[kind];
      const target = layer[kind];
      if (values && target) moveTowards(values, target, share);
    }
}

/** The network for inference: batch normalisation becomes part of weights and biases. */
export function foldNetwork(layers: readonly TrainableLayer[]): ConvLayer[] {
  return layers.map(({ shape, weight, scale, bias, mean, variance }) => {
    if (!scale) return { shape, weight: weight.slice(), bias: bias.slice() };
    const gains = variance.map((value, channel) => scale[channel]! / Math.sqrt(value + EPSILON));
    const perOutput = weight.length / shape.outputs;
    return {
      shape,
      weight: weight.map((value, index) => value * gains[Math.floor(index / perOutput)]!),
      bias: bias.map((value, channel) => value - mean[channel]! * gains[channel]!),
    };
  });
}

/** What the gradients of a layer need of the way forward. */
interface LayerValues {
  readonly shape: ConvShape;
  readonly input: GraphValue;
  readonly output: GraphValue;
  /** [outputs, inputs, kernel, kernel] */
  readonly weight: GraphValue;
  /** Absent in the last layer. */
  readonly normalisation?: Normalisation;
}

interface Normalisation {
  readonly scale: GraphValue;
  /** Outputs with mean 0 and deviation 1. */
  readonly normal: GraphValue;
  readonly spread: GraphValue;
}

/** Batch normalisation without its scale and bias; mean and variance [1, outputs, 1, 1] are outputs of the graph. */
function addNormalisation(graph: GraphBuilder, convolved: GraphValue, scale: GraphValue, layer: number): Normalisation {
  const overAll = { axes: [0, 2, 3], keepdims: 1 };
  const mean = graph.add('ReduceMean', [convolved], overAll);
  const centred = graph.add('Sub', [convolved, mean]);
  const variance = graph.add('ReduceMean', [graph.add('Mul', [centred, centred])], overAll);
  const spread = graph.add('Sqrt', [graph.add('Add', [variance, graph.constant(Float32Array.of(EPSILON))])]);
  graph.output(nameOf('mean', layer), mean);
  graph.output(nameOf('variance', layer), variance);
  return { scale, spread, normal: graph.add('Div', [centred, spread]) };
}

/**
 * Adds the network for training. Its inputs by name are weights [outputs, inputs, kernel, kernel], scales and biases
 * [outputs, 1, 1].
 */
export function addTrainingLayers(graph: GraphBuilder, shapes: readonly ConvShape[], image: GraphValue): LayerValues[] {
  let input = image;
  return shapes.map((shape, layer) => {
    const from = input;
    const weight = graph.input(nameOf('weight', layer), weightDims(shape));
    const bias = graph.input(nameOf('bias', layer), [shape.outputs, 1, 1]);
    const convolved = graph.add('Conv', [from, weight], convAttributes(shape));
    if (layer === shapes.length - 1) return { shape, input: from, weight, output: graph.add('Add', [convolved, bias]) };
    const scale = graph.input(nameOf('scale', layer), [shape.outputs, 1, 1]);
    const normalisation = addNormalisation(graph, convolved, scale, layer);
    const shifted = graph.add('Add', [graph.add('Mul', [normalisation.normal, scale]), bias]);
    input = graph.add('Relu', [shape.residual ? graph.add('Add', [from, shifted]) : shifted]);
    return { shape, input: from, weight, output: input, normalisation };
  });
}

/**
 * The sum of each channel, in two steps: in one, the bits of few channels depend on the number of threads.
 * [1, channels, 1, 1]
 */
function addSums(graph: GraphBuilder, values: GraphValue): GraphValue {
  const byExample = graph.add('ReduceSum', [values, graph.integers(2, 3)]);
  return graph.add('ReduceSum', [byExample, graph.integers(0)]);
}

/**
 * Adds the gradients of scale and bias as outputs.
 * @param gradient by the layer's output before ReLU
 * @param values of each channel in a batch
 * @returns the gradient by the convolution
 */
function addNormalisationGradient(
  graph: GraphBuilder,
  { scale, normal, spread }: Normalisation,
  gradient: GraphValue,
  layer: number,
  values: number,
): GraphValue {
  const share = graph.constant(Float32Array.of(1 / values));
  const byBias = addSums(graph, gradient);
  const byScale = addSums(graph, graph.add('Mul', [gradient, normal]));
  const stretch = graph.add('Mul', [normal, graph.add('Mul', [byScale, share])]);
  const unshifted = graph.add('Sub', [gradient, graph.add('Mul', [byBias, share])]);
  const free = graph.add('Sub', [unshifted, stretch]);
  graph.output(gradientName(nameOf('bias', layer)), byBias);
  graph.output(gradientName(nameOf('scale', layer)), byScale);
  return graph.add('Mul', [free, graph.add('Div', [scale, spread])]);
}

/**
 * The gradient of a layer's weights: for each place of the kernel, the product of the shifted input and the gradient of
 * the output over all examples and cells. One matrix product for all places. Its larger side comes first: threads share
 * the rows of a product that has more rows than columns, and then the bits do not depend on their number.
 */
function addWeightGradient(
  graph: GraphBuilder,
  { shape, input }: LayerValues,
  gradient: GraphValue,
  { examples, side }: BatchSize,
): GraphValue {
  const { inputs, outputs, kernel, dilation } = shape;
  const [pad = 0] = convAttributes(shape).pads;
  const cells = examples * side * side;
  const byChannel = { perm: [1, 0, 2, 3] };
  const swapped = graph.add('Transpose', [input], byChannel);
  const padded = pad === 0 ? swapped : graph.add('Pad', [swapped, graph.integers(0, 0, pad, pad, 0, 0, pad, pad)]);
  const places = Array.from({ length: kernel * kernel }, (_, place) => {
    const top = Math.floor(place / kernel) * dilation;
    const left = (place % kernel) * dilation;
    const bounds = [graph.integers(top, left), graph.integers(top + side, left + side), graph.integers(2, 3)];
    const shifted = kernel === 1 ? padded : graph.add('Slice', [padded, ...bounds]);
    return graph.add('Reshape', [shifted, graph.integers(inputs, cells)]);
  });
  const shifted = kernel === 1 ? places[0] : graph.add('Concat', places, { axis: 0 });
  const slopes = graph.add('Transpose', [gradient], byChannel);
  const byOutput = graph.add('Reshape', [slopes, graph.integers(outputs, cells)]);
  const turned = { perm: [1, 0] };
  if (outputs > inputs * kernel * kernel) {
    const product = graph.add('MatMul', [byOutput, graph.add('Transpose', [shifted], turned)]);
    const byPlace = graph.add('Reshape', [product, graph.integers(outputs, kernel, kernel, inputs)]);
    return graph.add('Transpose', [byPlace], { perm: [0, 3, 1, 2] });
  }
  const product = graph.add('MatMul', [shifted, graph.add('Transpose', [byOutput], turned)]);
  const byPlace = graph.add('Reshape', [product, graph.integers(kernel, kernel, inputs, outputs)]);
  return graph.add('Transpose', [byPlace], { perm: [3, 2, 0, 1] });
}

interface BatchSize {
  readonly examples: number;
  /** Of the input, in cells. */
  readonly side: number;
}

/**
 * Backpropagation (Rumelhart, Hinton & Williams 1986): adds the gradients of all weights, scales and biases as outputs.
 * @param lastGradient of the loss by the last layer's output
 * @param batch examples, and cells to each side
 */
export function addGradients(
  graph: GraphBuilder,
  layers: readonly LayerValues[],
  lastGradient: GraphValue,
  batch: BatchSize,
): void {
  let after = lastGradient;
  for (const [index, layer] of [...layers.entries()].reverse()) {
    const { shape, output, weight, normalisation } = layer;
    let bySum = after;
    let byConvolution = after;
    if (normalisation) {
      // Activations are 0 or more: their sign is the derivative of ReLU.
      bySum = graph.add('Mul', [after, graph.add('Sign', [output])]);
      byConvolution = addNormalisationGradient(graph, normalisation, bySum, index, batch.examples * batch.side ** 2);
    } else graph.output(gradientName(nameOf('bias', index)), addSums(graph, after));
    graph.output(gradientName(nameOf('weight', index)), addWeightGradient(graph, layer, byConvolution, batch));
    if (index === 0) return;
    const through = graph.add('ConvTranspose', [byConvolution, weight], convAttributes(shape));
    after = shape.residual ? graph.add('Add', [bySum, through]) : through;
  }
}
