import type { OnnxConstant, OnnxNode, OnnxPart } from '../onnx/onnx-model.ts';
import { type ConvShape, convAttributes, signalName, weightName } from './conv-network.ts';

export const weightSlopeName = (layer: number): string => `weight_slope_${layer}`;
export const biasSlopeName = (layer: number): string => `bias_slope_${layer}`;
/** Slope of the loss with respect to a signal. */
export const signalSlopeName = (layer: number): string => `signal_slope_${layer}`;

const EXAMPLES_AND_PLACES = 'examples_and_places';
const SWAP = { perm: [1, 0, 2, 3] };

/**
 * The slope of a layer's weights is a convolution too: of its input with its output's slope as the kernel, examples and
 * channels having changed places, stride and dilation as well.
 */
function weightSlope(shape: ConvShape, layer: number, slope: string): OnnxNode[] {
  const [pad] = convAttributes(shape).pads;
  const start = pad ?? 0;
  // Sides are even, so that the last row and column of the padding are never under a kernel of stride 2.
  const end = start - (shape.stride - 1);
  return [
    { op: 'Transpose', inputs: [signalName(layer)], outputs: [`swapped_${layer}`], attributes: SWAP },
    { op: 'Transpose', inputs: [slope], outputs: [`kernels_${layer}`], attributes: SWAP },
    {
      op: 'Conv',
      inputs: [`swapped_${layer}`, `kernels_${layer}`],
      outputs: [`by_input_${layer}`],
      attributes: {
        strides: [shape.dilation, shape.dilation],
        dilations: [shape.stride, shape.stride],
        pads: [start, start, end, end],
      },
    },
    { op: 'Transpose', inputs: [`by_input_${layer}`], outputs: [weightSlopeName(layer)], attributes: SWAP },
    {
      op: 'ReduceSum',
      inputs: [slope, EXAMPLES_AND_PLACES],
      outputs: [biasSlopeName(layer)],
      attributes: { keepdims: 0 },
    },
  ];
}

function inputSlope(shape: ConvShape, layer: number, slope: string): OnnxNode[] {
  const to = signalSlopeName(layer);
  const through = shape.residual ? `through_${layer}` : to;
  const rest = shape.stride - 1;
  return [
    {
      op: 'ConvTranspose',
      inputs: [slope, weightName(layer)],
      outputs: [through],
      attributes: { ...convAttributes(shape), output_padding: [rest, rest] },
    },
    ...(shape.residual ? [{ op: 'Add', inputs: [slope, through], outputs: [to] }] : []),
  ];
}

/**
 * Backpropagation (Rumelhart, Hinton & Williams 1986) as a graph: from the slope of the loss with respect to the last
 * signal and the signals of `forwardPart` to the slopes of all weights and biases. Sides of all signals but the last
 * must be even.
 */
export function gradientPart(shapes: readonly ConvShape[]): OnnxPart {
  const constants: OnnxConstant[] = [{ name: EXAMPLES_AND_PLACES, dims: [3], data: BigInt64Array.of(0n, 2n, 3n) }];
  const nodes: OnnxNode[] = [];
  for (let layer = shapes.length - 1; layer >= 0; layer--) {
    const shape = shapes[layer];
    if (!shape) continue;
    const after = signalSlopeName(layer + 1);
    const last = layer === shapes.length - 1;
    const slope = last ? after : `sum_slope_${layer}`;
    if (!last)
      nodes.push(
        // Signals are 0 or more: their sign is the slope of max(0, ·).
        { op: 'Sign', inputs: [signalName(layer + 1)], outputs: [`open_${layer}`] },
        { op: 'Mul', inputs: [after, `open_${layer}`], outputs: [slope] },
      );
    nodes.push(...weightSlope(shape, layer, slope));
    if (layer > 0) nodes.push(...inputSlope(shape, layer, slope));
  }
  return { nodes, constants };
}
