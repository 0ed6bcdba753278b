import { Tensor } from 'onnxruntime-node';
import type { Matrix } from '../math/matrix.ts';
import { GraphBuilder } from './graph-builder.ts';
import { openSession } from './open-session.ts';

export type MatrixProduct = Awaited<ReturnType<typeof openMatrixProduct>>;

export const matrixTensor = ({ rows, columns, data }: Matrix): Tensor => new Tensor('float32', data, [rows, columns]);

function openGemm(transA: 0 | 1, threads: number) {
  const graph = new GraphBuilder();
  const factors = [graph.input('a', ['m', 'k']), graph.input('b', ['p', 'n'])];
  graph.output('y', graph.add('Gemm', factors, { transA }));
  return openSession(graph.encode(), threads);
}

/** Matrix products in native code, about a hundred times as fast as a loop in JavaScript. */
export async function openMatrixProduct(threads: number = 1) {
  const plain = await openGemm(0, threads);
  const transposed = await openGemm(1, threads);
  const run = async (session: typeof plain, a: Matrix, b: Matrix, rows: number): Promise<Matrix> => {
    const { y } = await session.run({ a: matrixTensor(a), b: matrixTensor(b) });
    return { rows, columns: b.columns, data: y?.data as Float32Array };
  };
  return {
    /** a · b */
    multiply: (a: Matrix, b: Matrix) => run(plain, a, b, a.rows),
    /** aᵀ · b */
    multiplyTransposed: (a: Matrix, b: Matrix) => run(transposed, a, b, a.columns),
    async dispose() {
      await plain.release();
      await transposed.release();
    },
  };
}
