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

/**
 * @param part from `queries` to `result`
 * @param rowsAtOnce queries that go through it together, so that what lies between fits into the processor's cache; absent: all
 */
export async function openDistances(
  part: OnnxPart,
  dims: number,
  threads: number,
  rowsAtOnce = Number.POSITIVE_INFINITY,
): Promise<NearestNeighbours> {
  const session = await openSession(
    {
      ...part,
      inputs: [{ name: 'queries', dims: ['queries', dims] }],
      outputs: [{ name: 'result', dims: ['queries'] }],
    },
    threads,
  );
  const ask = async ({ rows, columns, data }: Matrix): Promise<Float32Array> => {
    const { result } = await session.run({ queries: new Tensor('float32', data, [rows, columns]) });
    return result?.data as Float32Array;
  };
  return {
    async distances(queries) {
      const { rows, columns, data } = queries;
      if (rows <= rowsAtOnce) return ask(queries);
      const distances = new Float32Array(rows);
      for (let start = 0; start < rows; start += rowsAtOnce) {
        const end = Math.min(start + rowsAtOnce, rows);
        const some = { rows: end - start, columns, data: data.subarray(start * columns, end * columns) };
        distances.set(await ask(some), start);
      }
      return distances;
    },
    dispose: () => session.release(),
  };
}

/** Exact search, in at least one member; distances are averaged over the `neighbours` nearest. */
export function openNearestNeighbours(memory: PatchMemory, neighbours = 1, threads = 1): Promise<NearestNeighbours> {
  const part = nearestNeighboursPart('queries', memory, neighbours, 'result');
  return openDistances(part, memory.bank.columns, threads);
}
