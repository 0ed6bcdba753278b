import { Tensor } from 'onnxruntime-node';
import type { Matrix } from '../onnx/open-matrix-product.ts';
import { openSession } from '../onnx/open-session.ts';
import { nearestNeighboursPart, type PatchMemory } from './nearest-neighbours-part.ts';

export interface NearestNeighbours {
  /** Distance of each row of `queries` from the memory. [queries] */
  distances(queries: Matrix): Promise<Float32Array>;
  dispose(): Promise<void>;
}

/** Exact search, in at least one member; distances are averaged over the `neighbours` nearest. */
export async function openNearestNeighbours(
  memory: PatchMemory,
  neighbours = 1,
  threads = 1,
): Promise<NearestNeighbours> {
  const session = await openSession(
    {
      ...nearestNeighboursPart('queries', memory, neighbours, 'result'),
      inputs: [{ name: 'queries', dims: ['queries', memory.bank.columns] }],
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
