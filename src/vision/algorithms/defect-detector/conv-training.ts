import type { OnnxConstant, OnnxNode, OnnxPart } from '../../onnx/onnx-model.ts';
import { activationName, biasName, type ConvShape, convAttributes, weightName } from './conv-network.ts';

/** Scale of a layer's batch normalisation. The last layer has none. */
export const scaleName = (layer: number): string => `scale_${layer}`;
/** Mean and variance of each channel over the batch, [1, outputs, 1, 1]. */
export const meanName = (layer: number): string => `mean_${layer}`;
export const varianceName = (layer: number): string => `variance_${layer}`;
/** Gradient of the loss by an activation, a weight, a scale or a bias. */
export const gradientName = (of: string): string => `gradient_${of}`;

/** Added to variances against a division by 0. */
export const EPSILON = 1e-5;

const REDUCED_AXES = 'reduced_axes';
const OVER_ALL = { axes: [0, 2, 3], keepdims: 1 };
const SWAP = { perm: [1, 0, 2, 3] };

/** Batch normalisation (Ioffe & Szegedy 2015). */
function normalisationNodes(layer: number, to: string): OnnxNode[] {
  const [conv, centred, spread] = [`conv_${layer}`, `centred_${layer}`, `spread_${layer}`];
  return [
    { op: 'ReduceMean', inputs: [conv], outputs: [meanName(layer)], attributes: OVER_ALL },
    { op: 'Sub', inputs: [conv, meanName(layer)], outputs: [centred] },
    { op: 'Mul', inputs: [centred, centred], outputs: [`squares_${layer}`] },
    { op: 'ReduceMean', inputs: [`squares_${layer}`], outputs: [varianceName(layer)], attributes: OVER_ALL },
    { op: 'Add', inputs: [varianceName(layer), 'epsilon'], outputs: [`positive_${layer}`] },
    { op: 'Sqrt', inputs: [`positive_${layer}`], outputs: [spread] },
    { op: 'Div', inputs: [centred, spread], outputs: [`normal_${layer}`] },
    { op: 'Mul', inputs: [`normal_${layer}`, scaleName(layer)], outputs: [`scaled_${layer}`] },
    { op: 'Add', inputs: [`scaled_${layer}`, biasName(layer)], outputs: [to] },
  ];
}

/**
 * The network for training, with batch normalisation. Weights [outputs, inputs, kernel, kernel], scales and biases
 * [outputs, 1, 1] by name.
 */
export function trainingPart(shapes: readonly ConvShape[]): OnnxPart {
  const nodes = shapes.flatMap((shape, layer): OnnxNode[] => {
    const [from, to] = [activationName(layer), activationName(layer + 1)];
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
      ...normalisationNodes(layer, shifted),
      ...(shape.residual ? [{ op: 'Add', inputs: [from, shifted], outputs: [sum] }] : []),
      { op: 'Relu', inputs: [sum], outputs: [to] },
    ];
  });
  return { nodes, constants: [{ name: 'epsilon', dims: [1], data: Float32Array.of(EPSILON) }] };
}

/** Gradients of scale and bias, and from the gradient of the normalised output to that of the input. */
function normalisationGradient(layer: number, gradient: string, to: string): OnnxNode[] {
  const bias = gradientName(biasName(layer));
  const scale = gradientName(scaleName(layer));
  const name = (what: string): string => `${what}_${layer}`;
  return [
    { op: 'ReduceSum', inputs: [gradient, REDUCED_AXES], outputs: [bias] },
    { op: 'Mul', inputs: [gradient, name('normal')], outputs: [name('along')] },
    { op: 'ReduceSum', inputs: [name('along'), REDUCED_AXES], outputs: [scale] },
    { op: 'Mul', inputs: [bias, name('share')], outputs: [name('mean_gradient')] },
    { op: 'Mul', inputs: [scale, name('share')], outputs: [name('mean_along')] },
    { op: 'Mul', inputs: [name('normal'), name('mean_along')], outputs: [name('stretch')] },
    { op: 'Sub', inputs: [gradient, name('mean_gradient')], outputs: [name('unshifted')] },
    { op: 'Sub', inputs: [name('unshifted'), name('stretch')], outputs: [name('free')] },
    { op: 'Div', inputs: [scaleName(layer), name('spread')], outputs: [name('gain')] },
    { op: 'Mul', inputs: [name('free'), name('gain')], outputs: [to] },
  ];
}

/**
 * The gradient of a layer's weights is a convolution of its input with the gradient of its output as the kernel.
 * Examples and channels swap places, and so do stride and dilation.
 */
function weightGradient(shape: ConvShape, layer: number, gradient: string): OnnxNode[] {
  const [start = 0] = convAttributes(shape).pads;
  // Sides are even: a kernel of stride 2 never reaches the last row and column of the padding.
  const end = start - (shape.stride - 1);
  const attributes = {
    strides: [shape.dilation, shape.dilation],
    dilations: [shape.stride, shape.stride],
    pads: [start, start, end, end],
  };
  const [swapped, kernels, found] = [`swapped_${layer}`, `kernels_${layer}`, `by_input_${layer}`];
  return [
    { op: 'Transpose', inputs: [activationName(layer)], outputs: [swapped], attributes: SWAP },
    { op: 'Transpose', inputs: [gradient], outputs: [kernels], attributes: SWAP },
    { op: 'Conv', inputs: [swapped, kernels], outputs: [found], attributes },
    { op: 'Transpose', inputs: [found], outputs: [gradientName(weightName(layer))], attributes: SWAP },
  ];
}

function inputGradient(shape: ConvShape, layer: number, gradient: string, sumGradient: string): OnnxNode[] {
  const to = gradientName(activationName(layer));
  const through = shape.residual ? `through_${layer}` : to;
  const rest = shape.stride - 1;
  const attributes = { ...convAttributes(shape), output_padding: [rest, rest] };
  return [
    { op: 'ConvTranspose', inputs: [gradient, weightName(layer)], outputs: [through], attributes },
    ...(shape.residual ? [{ op: 'Add', inputs: [sumGradient, through], outputs: [to] }] : []),
  ];
}

/**
 * Backpropagation (Rumelhart, Hinton & Williams 1986) as a graph: from the gradient of the last activation and what
 * `trainingPart` computed to the gradients of all weights, scales and biases.
 * @param examples in a batch
 * @param side of the input in pixels, a multiple of all strides together
 */
export function gradientPart(shapes: readonly ConvShape[], examples: number, side: number): OnnxPart {
  const constants: OnnxConstant[] = [{ name: REDUCED_AXES, dims: [3], data: BigInt64Array.of(0n, 2n, 3n) }];
  const nodes: OnnxNode[] = [];
  let stride = shapes.reduce((product, shape) => product * shape.stride, 1);
  for (let layer = shapes.length - 1; layer >= 0; layer--) {
    const shape = shapes[layer];
    if (!shape) continue;
    const after = gradientName(activationName(layer + 1));
    const last = layer === shapes.length - 1;
    const sumGradient = last ? after : `sum_gradient_${layer}`;
    const convGradient = last ? after : `conv_gradient_${layer}`;
    if (last) nodes.push({ op: 'ReduceSum', inputs: [after, REDUCED_AXES], outputs: [gradientName(biasName(layer))] });
    else
      nodes.push(
        // Activations are 0 or more: their sign is the derivative of ReLU.
        { op: 'Sign', inputs: [activationName(layer + 1)], outputs: [`active_${layer}`] },
        { op: 'Mul', inputs: [after, `active_${layer}`], outputs: [sumGradient] },
        ...normalisationGradient(layer, sumGradient, convGradient),
      );
    const share = Float32Array.of(1 / (examples * (side / stride) ** 2));
    constants.push({ name: `share_${layer}`, dims: [1], data: share });
    nodes.push(...weightGradient(shape, layer, convGradient));
    if (layer > 0) nodes.push(...inputGradient(shape, layer, convGradient, sumGradient));
    stride /= shape.stride;
  }
  return { nodes, constants };
}
