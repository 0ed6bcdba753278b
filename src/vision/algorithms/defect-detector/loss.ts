import type { OnnxPart } from '../../onnx/onnx-model.ts';

/** Inputs of the loss beside the outputs of the network. */
export const LOSS_INPUTS = {
  /** One-hot class of each cell, [examples, classes, rows, columns]. */
  classes: 'classes',
  /** Weight of each cell's class, 0: ignored. [examples, 1, rows, columns] */
  classWeights: 'class_weights',
  /** Distances to the four sides, [examples, 4, rows, columns]. */
  sides: 'sides',
  /** Weight of each cell's sides, 0 outside of defects. [examples, 1, rows, columns] */
  sideWeights: 'side_weights',
} as const;

/** γ of the focal loss (Lin et al. 2017): easy cells count less. */
const GAMMA = 1.5;
/** δ of the Huber loss: squared up to this error, linear above (Girshick 2015). */
const DELTA = 0.5;

const scalar = (name: string, value: number) => ({ name, dims: [1], data: Float32Array.of(value) });

/**
 * From the network's outputs [examples, classes + 4, rows, columns] to the gradient of the loss by them: cross entropy
 * of the classes with focal weights, Huber loss of the sides.
 */
export function lossGradientPart(outputs: string, gradient: string, classes: number): OnnxPart {
  const overClasses = { axis: 1 };
  return {
    constants: [
      { name: 'parts', dims: [2], data: BigInt64Array.of(BigInt(classes), 4n) },
      { name: 'class_axis', dims: [1], data: BigInt64Array.of(1n) },
      scalar('one', 1),
      scalar('gamma', GAMMA),
      scalar('steepness', 1 / DELTA),
      { name: 'lowest', dims: [], data: Float32Array.of(-1) },
      { name: 'highest', dims: [], data: Float32Array.of(1) },
    ],
    nodes: [
      { op: 'Split', inputs: [outputs, 'parts'], outputs: ['logits', 'found_sides'], attributes: overClasses },
      { op: 'Softmax', inputs: ['logits'], outputs: ['probabilities'], attributes: overClasses },
      { op: 'Mul', inputs: ['probabilities', LOSS_INPUTS.classes], outputs: ['true_probabilities'] },
      {
        op: 'ReduceSum',
        inputs: ['true_probabilities', 'class_axis'],
        outputs: ['true_probability'],
        attributes: { keepdims: 1 },
      },
      { op: 'Sub', inputs: ['one', 'true_probability'], outputs: ['signed_miss'] },
      // Rounding may leave a little less than 0, which has no power.
      { op: 'Relu', inputs: ['signed_miss'], outputs: ['miss'] },
      { op: 'Pow', inputs: ['miss', 'gamma'], outputs: ['focal'] },
      { op: 'Mul', inputs: ['focal', LOSS_INPUTS.classWeights], outputs: ['focal_weights'] },
      { op: 'Sub', inputs: ['probabilities', LOSS_INPUTS.classes], outputs: ['class_error'] },
      { op: 'Mul', inputs: ['class_error', 'focal_weights'], outputs: ['class_gradient'] },
      { op: 'Sub', inputs: ['found_sides', LOSS_INPUTS.sides], outputs: ['side_error'] },
      { op: 'Mul', inputs: ['side_error', 'steepness'], outputs: ['steep'] },
      { op: 'Clip', inputs: ['steep', 'lowest', 'highest'], outputs: ['clipped'] },
      { op: 'Mul', inputs: ['clipped', LOSS_INPUTS.sideWeights], outputs: ['side_gradient'] },
      { op: 'Concat', inputs: ['class_gradient', 'side_gradient'], outputs: [gradient], attributes: overClasses },
    ],
  };
}
