import { Tensor } from 'onnxruntime-node';
import type { Matrix } from '../onnx/open-matrix-product.ts';
import { openSession } from '../onnx/open-session.ts';
import { nearestNeighboursPart } from './nearest-neighbours-part.ts';

export interface NearestNeighbours {
  /** Distance of each row of `queries` from the bank. [queries] */
  distances(queries: Matrix): Promise<Float32Array>;
  dispose(): Promise<void>;
}

/** Exact search in `bank` [bank, dims]; distances are averaged over the `neighbours` nearest. */
export async function openNearestNeighbours(bank: Matrix, neighbours = 1, threads = 1): Promise<NearestNeighbours> {
  const session = await openSession(
    {
      ...nearestNeighboursPart('queries', bank, neighbours, 'result'),
      inputs: [{ name: 'queries', dims: ['queries', bank.columns] }],
      outputs: [{ name: 'result', dims: ['queries'] }],
    },
    threads,
  );
  return {
    async distances(queries) {
      const tensor = new Tensor('float32', queries.data, [queries.rows, queries.columns]);
      const { result } = await session.run({ queries: tensor });
      return result?.data as Float32Array;
    },
    dispose: () => session.release(),
  };
}
