import { Tensor } from 'onnxruntime-node';
import type { Matrix } from '../math/matrix.ts';
import type { OnnxGraph } from './onnx-model.ts';
import { openSession, type Threads } from './open-session.ts';

export interface MatrixProduct {
  /** a · b */
  multiply(a: Matrix, b: Matrix): Promise<Matrix>;
  /** aᵀ · b */
  multiplyTransposed(a: Matrix, b: Matrix): Promise<Matrix>;
  dispose(): Promise<void>;
}

const tensorOf = (matrix: Matrix): Tensor => new Tensor('float32', matrix.data, [matrix.rows, matrix.columns]);

function openGemm(transA: 0 | 1, threads: Threads) {
  const graph: OnnxGraph = {
    inputs: [
      { name: 'a', dims: ['m', 'k'] },
      { name: 'b', dims: ['p', 'n'] },
    ],
    outputs: [{ name: 'y', dims: ['r', 'n'] }],
    constants: [],
    nodes: [{ op: 'Gemm', inputs: ['a', 'b'], outputs: ['y'], attributes: { transA } }],
  };
  return openSession(graph, threads);
}

/** Matrix products in native code, about a hundred times a loop in JavaScript. */
export async function openMatrixProduct(threads: Threads = 1): Promise<MatrixProduct> {
  const plain = await openGemm(0, threads);
  const transposed = await openGemm(1, threads);
  const run = async (session: typeof plain, a: Matrix, b: Matrix, rows: number): Promise<Matrix> => {
    const { y } = await session.run({ a: tensorOf(a), b: tensorOf(b) });
    return { rows, columns: b.columns, data: y?.data as Float32Array };
  };
  return {
    multiply: (a, b) => run(plain, a, b, a.rows),
    multiplyTransposed: (a, b) => run(transposed, a, b, a.columns),
    async dispose() {
      await plain.release();
      await transposed.release();
    },
  };
}
