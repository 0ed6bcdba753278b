import type { OnnxNode } from '../../onnx/onnx-model.ts';

/** One convolution with bias. A ReLU follows all layers but the last. */
export interface ConvShape {
  readonly inputs: number;
  readonly outputs: number;
  /** Side of the kernel, odd. */
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
/** Input of a layer. The number after the last layer names the output of the network. */
export const activationName = (layer: number): string => `activation_${layer}`;

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

/** The network for inference, from `activation_0` to the last activation. Weights and biases come by name. */
export function inferenceNodes(shapes: readonly ConvShape[]): OnnxNode[] {
  return shapes.flatMap((shape, layer) => {
    const isLast = layer === shapes.length - 1;
    const [from, to] = [activationName(layer), activationName(layer + 1)];
    const sum = isLast ? to : `sum_${layer}`;
    const linear = shape.residual ? `linear_${layer}` : sum;
    const inputs = [from, weightName(layer), biasName(layer)];
    const nodes: OnnxNode[] = [{ op: 'Conv', inputs, outputs: [linear], attributes: convAttributes(shape) }];
    if (shape.residual) nodes.push({ op: 'Add', inputs: [from, linear], outputs: [sum] });
    if (!isLast) nodes.push({ op: 'Relu', inputs: [sum], outputs: [to] });
    return nodes;
  });
}
