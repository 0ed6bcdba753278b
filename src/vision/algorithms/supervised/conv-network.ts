import type { OnnxPart } from '../../onnx/onnx-model.ts';

/** One convolution with bias; all but a network's last are followed by max(0, ·). */
export interface ConvShape {
  readonly inputs: number;
  readonly outputs: number;
  /** Odd side of the kernel. */
  readonly kernel: number;
  readonly stride: 1 | 2;
  readonly dilation: number;
  /** Its input is added to its output: He et al. 2016. */
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
/** What goes into a layer; for the number after the last layer, what comes out of the network. */
export const signalName = (layer: number): string => `signal_${layer}`;

/** Attributes of `Conv` that keep the size, apart from the stride. */
export const convAttributes = ({ kernel, stride, dilation }: ConvShape) => {
  const pad = (dilation * (kernel - 1)) / 2;
  return {
    kernel_shape: [kernel, kernel],
    strides: [stride, stride],
    dilations: [dilation, dilation],
    pads: [pad, pad, pad, pad],
  };
};

/** From `signal_0` to the last signal; weights and biases by name, as constants or inputs of the graph. */
export function forwardPart(shapes: readonly ConvShape[]): OnnxPart {
  const nodes = shapes.flatMap((shape, layer) => {
    const last = layer === shapes.length - 1;
    const [from, to] = [signalName(layer), signalName(layer + 1)];
    const sum = last ? to : `sum_${layer}`;
    const linear = shape.residual ? `linear_${layer}` : sum;
    const inputs = [from, weightName(layer), biasName(layer)];
    return [
      { op: 'Conv', inputs, outputs: [linear], attributes: convAttributes(shape) },
      ...(shape.residual ? [{ op: 'Add', inputs: [from, linear], outputs: [sum] }] : []),
      ...(last ? [] : [{ op: 'Relu', inputs: [sum], outputs: [to] }]),
    ];
  });
  return { nodes, constants: [] };
}
