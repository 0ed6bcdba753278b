import type { GraphBuilder, GraphValue } from '../../onnx/graph-builder.ts';

/** One convolution with bias. A ReLU follows all layers but the last. */
export interface ConvShape {
  readonly inputs: number;
  readonly outputs: number;
  /** Side of the kernel: an odd number. */
  readonly kernel: number;
  readonly stride: 1 | 2;
  readonly dilation: number;
  /** The layer's input is added to its output (He et al. 2016). */
  readonly residual: boolean;
}

export interface ConvNetwork {
  readonly shapes: readonly ConvShape[];
  /** [outputs, inputs, kernel, kernel] of each layer. */
  readonly weights: readonly Float32Array[];
  /** [outputs] of each layer. */
  readonly biases: readonly Float32Array[];
}

export const weightCount = ({ inputs, outputs, kernel }: ConvShape): number => outputs * inputs * kernel * kernel;
export const weightDims = ({ inputs, outputs, kernel }: ConvShape): number[] => [outputs, inputs, kernel, kernel];

export const weightName = (layer: number): string => `weight_${layer}`;
export const biasName = (layer: number): string => `bias_${layer}`;

/** Attributes of `Conv` that keep the size, apart from the stride. */
export function convAttributes({ kernel, stride, dilation }: ConvShape) {
  const pad = (dilation * (kernel - 1)) / 2;
  return {
    kernel_shape: [kernel, kernel],
    strides: [stride, stride],
    dilations: [dilation, dilation],
    pads: [pad, pad, pad, pad],
  };
}

/** Adds the network to a graph, for inference. @returns its last activation */
export function addNetwork(
  graph: GraphBuilder,
  { shapes, weights, biases }: ConvNetwork,
  image: GraphValue,
): GraphValue {
  let activation = image;
  shapes.forEach((shape, layer) => {
    const weight = graph.constant(weights[layer]!, weightDims(shape));
    const bias = graph.constant(biases[layer]!);
    const linear = graph.add('Conv', [activation, weight, bias], convAttributes(shape));
    const sum = shape.residual ? graph.add('Add', [activation, linear]) : linear;
    activation = layer === shapes.length - 1 ? sum : graph.add('Relu', [sum]);
  });
  return activation;
}
