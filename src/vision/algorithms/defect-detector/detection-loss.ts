import type { OnnxPart } from '../../onnx/onnx-model.ts';

/** What a batch is to give, beside the images. */
export const LOSS_INPUTS = {
  /** 1 for the class of each cell, [examples, classes, rows, columns]. */
  classes: 'classes',
  /** What each cell's class counts, 0 for none, [examples, 1, rows, columns]. */
  importance: 'importance',
  /** Ways to the four sides, [examples, 4, rows, columns]. */
  lengths: 'lengths',
  /** What each cell's lengths count, 0 outside of defects, [examples, 1, rows, columns]. */
  lengthImportance: 'length_importance',
} as const;

/** How much cells that are right already count less: Lin et al., "Focal Loss for Dense Object Detection", 2017. */
const FOCUS = 1.5;
/** Errors of lengths above this count in proportion, below it by their square (Girshick 2015). */
const SMALL_ERROR = 0.5;

const scalar = (name: string, value: number) => ({ name, dims: [1], data: Float32Array.of(value) });

/**
 * From the network's outputs [examples, classes + 4, rows, columns] to the loss's slope with respect to them: cross
 * entropy of the classes by difficulty, Huber's loss of the lengths.
 */
export function lossSlopePart(outputs: string, slope: string, classes: number): OnnxPart {
  const { classes: truth, importance, lengths, lengthImportance } = LOSS_INPUTS;
  const overClasses = { axis: 1 };
  return {
    constants: [
      { name: 'parts', dims: [2], data: BigInt64Array.of(BigInt(classes), 4n) },
      { name: 'class_axis', dims: [1], data: BigInt64Array.of(1n) },
      scalar('one', 1),
      scalar('focus', FOCUS),
      scalar('steepness', 1 / SMALL_ERROR),
      { name: 'lowest', dims: [], data: Float32Array.of(-1) },
      { name: 'highest', dims: [], data: Float32Array.of(1) },
    ],
    nodes: [
      { op: 'Split', inputs: [outputs, 'parts'], outputs: ['logits', 'ways'], attributes: overClasses },
      { op: 'Softmax', inputs: ['logits'], outputs: ['likely'], attributes: overClasses },
      { op: 'Mul', inputs: ['likely', truth], outputs: ['likely_truth'] },
      { op: 'ReduceSum', inputs: ['likely_truth', 'class_axis'], outputs: ['right'], attributes: { keepdims: 1 } },
      { op: 'Sub', inputs: ['one', 'right'], outputs: ['wrong_signed'] },
      { op: 'Relu', inputs: ['wrong_signed'], outputs: ['wrong'] },
      { op: 'Pow', inputs: ['wrong', 'focus'], outputs: ['difficulty'] },
      { op: 'Mul', inputs: ['difficulty', importance], outputs: ['counts'] },
      { op: 'Sub', inputs: ['likely', truth], outputs: ['class_error'] },
      { op: 'Mul', inputs: ['class_error', 'counts'], outputs: ['class_slope'] },
      { op: 'Sub', inputs: ['ways', lengths], outputs: ['length_error'] },
      { op: 'Mul', inputs: ['length_error', 'steepness'], outputs: ['steep'] },
      { op: 'Clip', inputs: ['steep', 'lowest', 'highest'], outputs: ['clipped'] },
      { op: 'Mul', inputs: ['clipped', lengthImportance], outputs: ['length_slope'] },
      { op: 'Concat', inputs: ['class_slope', 'length_slope'], outputs: [slope], attributes: overClasses },
    ],
  };
}
