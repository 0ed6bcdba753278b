import type { OnnxPart } from '../onnx/onnx-model.ts';
import type { Random } from '../types.ts';

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

/** Share of the usual spread for layers beside which their input goes on, so that sums do not grow from layer to layer. */
const RESIDUAL_SHARE = 0.5;
/** Share for the last layer: a network that has learned nothing says nothing. */
const LAST_SHARE = 0.1;

/** Random weights with the spread of He et al. 2015, which keeps the size of signals from layer to layer. */
export function drawConvNetwork(shapes: readonly ConvShape[], random: Random): ConvNetwork {
  const weights = shapes.map((shape, layer) => {
    const share = layer === shapes.length - 1 ? LAST_SHARE : shape.residual ? RESIDUAL_SHARE : 1;
    const spread = share * Math.sqrt(2 / (shape.inputs * shape.kernel ** 2));
    return Float32Array.from({ length: weightCount(shape) }, () => spread * random.normal());
  });
  return { shapes, weights, biases: shapes.map(({ outputs }) => new Float32Array(outputs)) };
}

export const weightName = (layer: number): string => `weight_${layer}`;
export const biasName = (layer: number): string => `bias_${layer}`;
/** What goes into a layer; for the number after the last layer, what comes out of the network. */
export const signalName = (layer: number): string => `signal_${layer}`;

const padding = ({ kernel, dilation }: ConvShape): number => (dilation * (kernel - 1)) / 2;

export const convAttributes = (shape: ConvShape) => {
  const pad = padding(shape);
  return {
    kernel_shape: [shape.kernel, shape.kernel],
    strides: [shape.stride, shape.stride],
    dilations: [shape.dilation, shape.dilation],
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
    return [
      {
        op: 'Conv',
        inputs: [from, weightName(layer), biasName(layer)],
        outputs: [linear],
        attributes: convAttributes(shape),
      },
      ...(shape.residual ? [{ op: 'Add', inputs: [from, linear], outputs: [sum] }] : []),
      ...(last ? [] : [{ op: 'Relu', inputs: [sum], outputs: [to] }]),
    ];
  });
  return { nodes, constants: [] };
}
