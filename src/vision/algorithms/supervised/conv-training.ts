import type { OnnxConstant, OnnxNode, OnnxPart } from '../../onnx/onnx-model.ts';
import { biasName, type ConvShape, convAttributes, signalName, weightName } from './conv-network.ts';

/** Factors of a layer's normalised outputs; the last layer has none. */
export const scaleName = (layer: number): string => `scale_${layer}`;
/** Mean and variance of each channel before it is normalised, [1, outputs, 1, 1]. */
export const meanName = (layer: number): string => `mean_${layer}`;
export const varianceName = (layer: number): string => `variance_${layer}`;
/** Slope of the loss with respect to a signal, a weight, a scale, a bias. */
export const slopeName = (of: string): string => `${of}_slope`;

/** Added to variances, so that a channel that never changes is not divided by 0. */
export const LEAST_VARIANCE = 1e-5;

const EXAMPLES_AND_PLACES = 'examples_and_places';
const OVER_ALL = { axes: [0, 2, 3], keepdims: 1 };
const SWAP = { perm: [1, 0, 2, 3] };

/** Ioffe & Szegedy 2015: each channel to mean 0 and variance 1 over the batch, then scaled and shifted. */
function normalise(layer: number, to: string): OnnxNode[] {
  const [conv, centred, spread] = [`conv_${layer}`, `centred_${layer}`, `spread_${layer}`];
  return [
    { op: 'ReduceMean', inputs: [conv], outputs: [meanName(layer)], attributes: OVER_ALL },
    { op: 'Sub', inputs: [conv, meanName(layer)], outputs: [centred] },
    { op: 'Mul', inputs: [centred, centred], outputs: [`squares_${layer}`] },
    { op: 'ReduceMean', inputs: [`squares_${layer}`], outputs: [varianceName(layer)], attributes: OVER_ALL },
    { op: 'Add', inputs: [varianceName(layer), 'least_variance'], outputs: [`positive_${layer}`] },
    { op: 'Sqrt', inputs: [`positive_${layer}`], outputs: [spread] },
    { op: 'Div', inputs: [centred, spread], outputs: [`normal_${layer}`] },
    { op: 'Mul', inputs: [`normal_${layer}`, scaleName(layer)], outputs: [`scaled_${layer}`] },
    { op: 'Add', inputs: [`scaled_${layer}`, biasName(layer)], outputs: [to] },
  ];
}

/**
 * `forwardPart` as it is trained, with normalised layers. Weights [outputs, inputs, kernel, kernel], scales and biases
 * [outputs, 1, 1] by name.
 */
export function trainingForwardPart(shapes: readonly ConvShape[]): OnnxPart {
  const nodes = shapes.flatMap((shape, layer): OnnxNode[] => {
    const [from, to] = [signalName(layer), signalName(layer + 1)];
    const conv = {
      op: 'Conv',
      inputs: [from, weightName(layer)],
      outputs: [`conv_${layer}`],
      attributes: convAttributes(shape),
    };
    if (layer === shapes.length - 1)
      return [conv, { op: 'Add', inputs: [`conv_${layer}`, biasName(layer)], outputs: [to] }];
    const sum = `sum_${layer}`;
    const shifted = shape.residual ? `shifted_${layer}` : sum;
    return [
      conv,
      ...normalise(layer, shifted),
      ...(shape.residual ? [{ op: 'Add', inputs: [from, shifted], outputs: [sum] }] : []),
      { op: 'Relu', inputs: [sum], outputs: [to] },
    ];
  });
  return { nodes, constants: [{ name: 'least_variance', dims: [1], data: Float32Array.of(LEAST_VARIANCE) }] };
}

/** The slopes of scale and bias, and from the slope of what comes out of `normalise` to that of what went in. */
function normaliseSlopes(layer: number, slope: string, to: string): OnnxNode[] {
  const [bySum, byScale] = [slopeName(biasName(layer)), slopeName(scaleName(layer))];
  const name = (what: string): string => `${what}_${layer}`;
  return [
    { op: 'ReduceSum', inputs: [slope, EXAMPLES_AND_PLACES], outputs: [bySum] },
    { op: 'Mul', inputs: [slope, name('normal')], outputs: [name('along')] },
    { op: 'ReduceSum', inputs: [name('along'), EXAMPLES_AND_PLACES], outputs: [byScale] },
    { op: 'Mul', inputs: [bySum, name('share')], outputs: [name('mean_slope')] },
    { op: 'Mul', inputs: [byScale, name('share')], outputs: [name('mean_along')] },
    { op: 'Mul', inputs: [name('normal'), name('mean_along')], outputs: [name('stretch')] },
    { op: 'Sub', inputs: [slope, name('mean_slope')], outputs: [name('unshifted')] },
    { op: 'Sub', inputs: [name('unshifted'), name('stretch')], outputs: [name('free')] },
    { op: 'Div', inputs: [scaleName(layer), name('spread')], outputs: [name('gain')] },
    { op: 'Mul', inputs: [name('free'), name('gain')], outputs: [to] },
  ];
}

/**
 * The slope of a layer's weights is a convolution too: of its input with its output's slope as the kernel, examples and
 * channels having changed places, stride and dilation as well.
 */
function weightSlope(shape: ConvShape, layer: number, slope: string): OnnxNode[] {
  const [start = 0] = convAttributes(shape).pads;
  // Sides are even, so that the last row and column of the padding are never under a kernel of stride 2.
  const end = start - (shape.stride - 1);
  const attributes = {
    strides: [shape.dilation, shape.dilation],
    dilations: [shape.stride, shape.stride],
    pads: [start, start, end, end],
  };
  const [swapped, kernels, found] = [`swapped_${layer}`, `kernels_${layer}`, `by_input_${layer}`];
  return [
    { op: 'Transpose', inputs: [signalName(layer)], outputs: [swapped], attributes: SWAP },
    { op: 'Transpose', inputs: [slope], outputs: [kernels], attributes: SWAP },
    { op: 'Conv', inputs: [swapped, kernels], outputs: [found], attributes },
    { op: 'Transpose', inputs: [found], outputs: [slopeName(weightName(layer))], attributes: SWAP },
  ];
}

function inputSlope(shape: ConvShape, layer: number, slope: string, sumSlope: string): OnnxNode[] {
  const to = slopeName(signalName(layer));
  const through = shape.residual ? `through_${layer}` : to;
  const rest = shape.stride - 1;
  const attributes = { ...convAttributes(shape), output_padding: [rest, rest] };
  return [
    { op: 'ConvTranspose', inputs: [slope, weightName(layer)], outputs: [through], attributes },
    ...(shape.residual ? [{ op: 'Add', inputs: [sumSlope, through], outputs: [to] }] : []),
  ];
}

/**
 * Backpropagation (Rumelhart, Hinton & Williams 1986) as a graph: from the slope of the loss with respect to the last
 * signal, and what `trainingForwardPart` computed, to the slopes of all weights, scales and biases.
 * @param examples of a batch
 * @param side of the input in pixels, a multiple of all strides together
 */
export function gradientPart(shapes: readonly ConvShape[], examples: number, side: number): OnnxPart {
  const constants: OnnxConstant[] = [{ name: EXAMPLES_AND_PLACES, dims: [3], data: BigInt64Array.of(0n, 2n, 3n) }];
  const nodes: OnnxNode[] = [];
  let stride = shapes.reduce((product, shape) => product * shape.stride, 1);
  for (let layer = shapes.length - 1; layer >= 0; layer--) {
    const shape = shapes[layer];
    if (!shape) continue;
    const after = slopeName(signalName(layer + 1));
    const last = layer === shapes.length - 1;
    const [sumSlope, convSlope] = last ? [after, after] : [`sum_slope_${layer}`, `conv_slope_${layer}`];
    if (last)
      nodes.push({ op: 'ReduceSum', inputs: [after, EXAMPLES_AND_PLACES], outputs: [slopeName(biasName(layer))] });
    else
      nodes.push(
        // Signals are 0 or more: their sign is the slope of max(0, ·).
        { op: 'Sign', inputs: [signalName(layer + 1)], outputs: [`open_${layer}`] },
        { op: 'Mul', inputs: [after, `open_${layer}`], outputs: [sumSlope] },
        ...normaliseSlopes(layer, sumSlope, convSlope),
      );
    const share = Float32Array.of(1 / (examples * (side / stride) ** 2));
    constants.push({ name: `share_${layer}`, dims: [1], data: share });
    nodes.push(...weightSlope(shape, layer, convSlope));
    if (layer > 0) nodes.push(...inputSlope(shape, layer, convSlope, sumSlope));
    stride /= shape.stride;
  }
  return { nodes, constants };
}
