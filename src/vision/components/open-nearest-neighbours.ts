import { Tensor } from 'onnxruntime-node';
import type { OnnxPart } from '../onnx/onnx-model.ts';
import type { Matrix } from '../onnx/open-matrix-product.ts';
import { openSession } from '../onnx/open-session.ts';
import { nearestNeighboursPart, type PatchMemory } from './nearest-neighbours-part.ts';

export interface NearestNeighbours {
  /** Distance of each row of `queries` from the memory. [queries] */
  distances(queries: Matrix): Promise<Float32Array>;
  dispose(): Promise<void>;
}

/** @param part from `queries` to `result` */
export async function openDistances(part: OnnxPart, dims: number, threads: number): Promise<NearestNeighbours> {
  const session = await openSession(
    {
      ...part,
      inputs: [{ name: 'queries', dims: ['queries', dims] }],
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

/** Exact search, in at least one member; distances are averaged over the `neighbours` nearest. */
export function openNearestNeighbours(memory: PatchMemory, neighbours = 1, threads = 1): Promise<NearestNeighbours> {
  const part = nearestNeighboursPart('queries', memory, neighbours, 'result');
  return openDistances(part, memory.bank.columns, threads);
}
