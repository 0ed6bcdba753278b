import type { GraphBuilder, GraphValue } from '../../onnx/graph-builder.ts';

/** What the outputs of the network are compared with. */
export interface LossTargets<Value> {
  /** One-hot class of each cell, [examples, classes, rows, columns]. */
  readonly classes: Value;
  /** Weight of each cell's class, 0: ignored. [examples, 1, rows, columns] */
  readonly classWeights: Value;
  /** Distances to the four sides, [examples, 4, rows, columns]. */
  readonly sides: Value;
  /** Weight of each cell's sides, 0 outside of defects. [examples, 1, rows, columns] */
  readonly sideWeights: Value;
}

/** γ of the focal loss (Lin et al. 2017): easy cells count less. */
const GAMMA = 1.5;
/** δ of the Huber loss: squared up to this error, linear above (Girshick 2015). */
const DELTA = 0.5;
const OVER_CLASSES = { axis: 1 };

/**
 * Adds the gradient of the loss by the network's outputs [examples, classes + 4, rows, columns]: cross entropy of the
 * classes with focal weights, Huber loss of the sides.
 */
export function addLossGradient(
  graph: GraphBuilder,
  outputs: GraphValue,
  classCount: number,
  { classes, classWeights, sides, sideWeights }: LossTargets<GraphValue>,
): GraphValue {
  const scalar = (value: number, dims: number[] = [1]) => graph.constant(Float32Array.of(value), dims);
  const parts = [outputs, graph.integers(classCount, 4)];
  const [logits, foundSides] = graph.addSplit('Split', parts, 2, OVER_CLASSES);
  const probabilities = graph.add('Softmax', [logits], OVER_CLASSES);
  const truth = graph.add('Mul', [probabilities, classes]);
  const trueProbability = graph.add('ReduceSum', [truth, graph.integers(1)], { keepdims: 1 });
  // Rounding may leave a little less than 0, which has no power.
  const miss = graph.add('Relu', [graph.add('Sub', [scalar(1), trueProbability])]);
  const focal = graph.add('Mul', [graph.add('Pow', [miss, scalar(GAMMA)]), classWeights]);
  const byClasses = graph.add('Mul', [graph.add('Sub', [probabilities, classes]), focal]);
  const steep = graph.add('Mul', [graph.add('Sub', [foundSides, sides]), scalar(1 / DELTA)]);
  const clipped = graph.add('Clip', [steep, scalar(-1, []), scalar(1, [])]);
  return graph.add('Concat', [byClasses, graph.add('Mul', [clipped, sideWeights])], OVER_CLASSES);
}
