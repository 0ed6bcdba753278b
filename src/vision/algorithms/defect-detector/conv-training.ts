import type { GraphBuilder, GraphValue } from '../../onnx/graph-builder.ts';
import { biasName, type ConvShape, convAttributes, weightDims, weightName } from './conv-network.ts';

/** Scale of a layer's batch normalisation. The last layer has none. */
export const scaleName = (layer: number): string => `scale_${layer}`;
/** Mean and variance of each channel over the batch, [1, outputs, 1, 1]. */
export const meanName = (layer: number): string => `mean_${layer}`;
export const varianceName = (layer: number): string => `variance_${layer}`;
/** Gradient of the loss by a weight, a scale or a bias. */
export const gradientName = (of: string): string => `gradient_${of}`;

/** Added to variances against a division by 0. */
export const EPSILON = 1e-5;

const OVER_ALL = { axes: [0, 2, 3], keepdims: 1 };
const SWAP = { perm: [1, 0, 2, 3] };

/** What the gradients of a layer need of the way forward. */
export interface TrainingLayer {
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

/** Batch normalisation (Ioffe & Szegedy 2015) without its scale and bias; mean and variance are outputs of the graph. */
function addNormalisation(graph: GraphBuilder, convolved: GraphValue, scale: GraphValue, layer: number): Normalisation {
  const mean = graph.add('ReduceMean', [convolved], OVER_ALL);
  const centred = graph.add('Sub', [convolved, mean]);
  const variance = graph.add('ReduceMean', [graph.add('Mul', [centred, centred])], OVER_ALL);
  const spread = graph.add('Sqrt', [graph.add('Add', [variance, graph.constant(Float32Array.of(EPSILON))])]);
  graph.output(meanName(layer), mean);
  graph.output(varianceName(layer), variance);
  return { scale, spread, normal: graph.add('Div', [centred, spread]) };
}

/**
 * Adds the network for training, with batch normalisation. Its inputs by name are weights [outputs, inputs, kernel,
 * kernel], scales and biases [outputs, 1, 1].
 */
export function addTrainingLayers(
  graph: GraphBuilder,
  shapes: readonly ConvShape[],
  image: GraphValue,
): TrainingLayer[] {
  let input = image;
  return shapes.map((shape, index) => {
    const from = input;
    const weight = graph.input(weightName(index), weightDims(shape));
    const bias = graph.input(biasName(index), [shape.outputs, 1, 1]);
    const convolved = graph.add('Conv', [from, weight], convAttributes(shape));
    if (index === shapes.length - 1) return { shape, input: from, weight, output: graph.add('Add', [convolved, bias]) };
    const scale = graph.input(scaleName(index), [shape.outputs, 1, 1]);
    const normalisation = addNormalisation(graph, convolved, scale, index);
    const shifted = graph.add('Add', [graph.add('Mul', [normalisation.normal, scale]), bias]);
    input = graph.add('Relu', [shape.residual ? graph.add('Add', [from, shifted]) : shifted]);
    return { shape, input: from, weight, output: input, normalisation };
  });
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
  const overAll = graph.integers(0, 2, 3);
  const share = graph.constant(Float32Array.of(1 / values));
  const byBias = graph.add('ReduceSum', [gradient, overAll]);
  const byScale = graph.add('ReduceSum', [graph.add('Mul', [gradient, normal]), overAll]);
  const stretch = graph.add('Mul', [normal, graph.add('Mul', [byScale, share])]);
  const unshifted = graph.add('Sub', [gradient, graph.add('Mul', [byBias, share])]);
  const free = graph.add('Sub', [unshifted, stretch]);
  graph.output(gradientName(biasName(layer)), byBias);
  graph.output(gradientName(scaleName(layer)), byScale);
  return graph.add('Mul', [free, graph.add('Div', [scale, spread])]);
}

/**
 * The gradient of a layer's weights is a convolution of its input with the gradient of its output as the kernel.
 * Examples and channels swap places, and so do stride and dilation.
 */
function addWeightGradient(graph: GraphBuilder, { shape, input }: TrainingLayer, gradient: GraphValue): GraphValue {
  const [start = 0] = convAttributes(shape).pads;
  // Sides are even: a kernel of stride 2 never reaches the last row and column of the padding.
  const end = start - (shape.stride - 1);
  const swapped = graph.add('Transpose', [input], SWAP);
  const kernels = graph.add('Transpose', [gradient], SWAP);
  const found = graph.add('Conv', [swapped, kernels], {
    strides: [shape.dilation, shape.dilation],
    dilations: [shape.stride, shape.stride],
    pads: [start, start, end, end],
  });
  return graph.add('Transpose', [found], SWAP);
}

/**
 * Backpropagation (Rumelhart, Hinton & Williams 1986): adds the gradients of all weights, scales and biases as outputs.
 * @param lastGradient of the loss by the last layer's output
 * @param examples in a batch
 * @param side of the input in pixels, a multiple of all strides together
 */
export function addGradients(
  graph: GraphBuilder,
  layers: readonly TrainingLayer[],
  lastGradient: GraphValue,
  examples: number,
  side: number,
): void {
  let after = lastGradient;
  let stride = layers.reduce((product, { shape }) => product * shape.stride, 1);
  for (const [index, layer] of [...layers.entries()].reverse()) {
    const { shape, output, weight, normalisation } = layer;
    let bySum = after;
    let byConvolution = after;
    if (normalisation) {
      // Activations are 0 or more: their sign is the derivative of ReLU.
      bySum = graph.add('Mul', [after, graph.add('Sign', [output])]);
      const values = examples * (side / stride) ** 2;
      byConvolution = addNormalisationGradient(graph, normalisation, bySum, index, values);
    } else graph.output(gradientName(biasName(index)), graph.add('ReduceSum', [after, graph.integers(0, 2, 3)]));
    graph.output(gradientName(weightName(index)), addWeightGradient(graph, layer, byConvolution));
    stride /= shape.stride;
    if (index === 0) return;
    const rest = shape.stride - 1;
    const attributes = { ...convAttributes(shape), output_padding: [rest, rest] };
    const through = graph.add('ConvTranspose', [byConvolution, weight], attributes);
    after = shape.residual ? graph.add('Add', [bySum, through]) : through;
  }
}
