import { Tensor } from 'onnxruntime-node';
import { GraphBuilder } from '../../onnx/graph-builder.ts';
import { openSession } from '../../onnx/open-session.ts';

const MOMENTUM = 0.95;
/** Steps of Newton and Schulz, and the coefficients of x, x³ and x⁵: singular values come near 1, which is enough. */
const STEPS = 5;
const [LINEAR, CUBIC, QUINTIC] = [3.4445, -4.775, 2.0315];
const LEAST_NORM = 1e-7;
/** Mean size of an entry of a step at a learning rate of 1: about that of Adam. */
const STEP_SIZE = 0.2;

export interface WeightMatrix {
  readonly rows: number;
  /** [rows, columns], changed in place. */
  readonly values: Float32Array;
}

/** Brings all singular values of each matrix near 1. */
function orthogonalGraph(matrices: readonly WeightMatrix[]): Uint8Array {
  const graph = new GraphBuilder();
  const scalar = (value: number) => graph.constant(Float32Array.of(value));
  const turned = { perm: [1, 0] };
  for (const [index, { rows, values }] of matrices.entries()) {
    const columns = values.length / rows;
    const matrix = graph.input(`momentum_${index}`, [rows, columns]);
    const squares = graph.add('ReduceSum', [graph.add('Mul', [matrix, matrix]), graph.integers(0, 1)]);
    let x = graph.add('Div', [matrix, graph.add('Add', [graph.add('Sqrt', [squares]), scalar(LEAST_NORM)])]);
    for (let step = 0; step < STEPS; step++) {
      const a = graph.add('MatMul', [x, graph.add('Transpose', [x], turned)]);
      const cubed = graph.add('Mul', [a, scalar(CUBIC)]);
      const factor = graph.add('Add', [cubed, graph.add('Mul', [graph.add('MatMul', [a, a]), scalar(QUINTIC)])]);
      x = graph.add('Add', [graph.add('Mul', [x, scalar(LINEAR)]), graph.add('MatMul', [factor, x])]);
    }
    const size = scalar(STEP_SIZE * Math.sqrt(Math.max(rows, columns)));
    graph.output(`step_${index}`, graph.add('Mul', [x, size]));
  }
  return graph.encode();
}

/**
 * Muon (Jordan et al. 2024): steps along the momentum, made nearly orthogonal, so that rare directions of a matrix learn
 * as fast as strong ones. A network learns in half the steps that Adam takes.
 * @param decay share of the weights that a step at a learning rate of 1 takes away
 */
export async function openMuon(matrices: readonly WeightMatrix[], decay: number) {
  const session = await openSession(orthogonalGraph(matrices));
  const momenta = matrices.map(({ values }) => new Float32Array(values.length));
  const feeds = matrices.map(({ rows, values }, index) => {
    const dims = [rows, values.length / rows];
    return [`momentum_${index}`, new Tensor('float32', new Float32Array(values.length), dims)] as const;
  });
  return {
    async step(gradients: readonly Float32Array[], rate: number): Promise<void> {
      for (const [index, momentum] of momenta.entries()) {
        const gradient = gradients[index]!;
        const ahead = feeds[index]![1].data as Float32Array;
        for (let i = 0; i < momentum.length; i++) {
          const slope = (1 - MOMENTUM) * gradient[i]!;
          momentum[i] = MOMENTUM * momentum[i]! + slope;
          // Nesterov: as if the next gradient were this one again.
          ahead[i] = MOMENTUM * momentum[i]! + slope;
        }
      }
      const steps = await session.run(Object.fromEntries(feeds));
      for (const [index, { values }] of matrices.entries()) {
        const found = steps[`step_${index}`]?.data as Float32Array;
        for (let i = 0; i < values.length; i++) values[i]! -= rate * (found[i]! + decay * values[i]!);
      }
    },
    dispose: () => session.release(),
  };
}
