import { Tensor } from 'onnxruntime-node';
import type { OnnxPart } from '../onnx/onnx-model.ts';
import type { Matrix } from '../onnx/open-matrix-product.ts';
import { openSession, type Threads } from '../onnx/open-session.ts';
import { nearestNeighboursPart, type PatchMemory } from './nearest-neighbours-part.ts';

export interface NearestNeighbours {
  /** Distance of each row of `queries` from the memory. [queries] */
  distances(queries: Matrix): Promise<Float32Array>;
  dispose(): Promise<void>;
}

export interface SearchOptions {
  readonly threads: Threads;
  /** Queries that go through it together, so that what lies between fits into the processor's cache; absent: all. */
  readonly rowsAtOnce?: number;
  /** A constant of the part, [length] in floats, that comes with every question instead. */
  readonly given?: string;
}

export interface PatchSearch extends NearestNeighbours {
  /** What that constant is in the part; empty where there is none. */
  readonly given: Float32Array;
  /** @param given the constant, where the search was opened so */
  distances(queries: Matrix, given?: Float32Array): Promise<Float32Array>;
}

/** @param part from `queries` to `result` */
export async function openPatchSearch(
  part: OnnxPart,
  dims: number,
  { threads, rowsAtOnce = Number.POSITIVE_INFINITY, given: name = '' }: SearchOptions,
): Promise<PatchSearch> {
  const given = part.constants.filter((constant) => constant.name === name);
  const session = await openSession(
    {
      nodes: part.nodes,
      constants: part.constants.filter((constant) => constant.name !== name),
      inputs: [{ name: 'queries', dims: ['queries', dims] }, ...given],
      outputs: [{ name: 'result', dims: ['queries'] }],
    },
    threads,
  );
  const ask = async ({ rows, columns, data }: Matrix, values?: Float32Array): Promise<Float32Array> => {
    const constant = values ? { [name]: new Tensor('float32', values, [values.length]) } : {};
    const { result } = await session.run({ queries: new Tensor('float32', data, [rows, columns]), ...constant });
    return result?.data as Float32Array;
  };
  return {
    given: (given[0]?.data as Float32Array | undefined) ?? new Float32Array(),
    async distances(queries, values) {
      const { rows, columns, data } = queries;
      if (rows <= rowsAtOnce) return ask(queries, values);
      const distances = new Float32Array(rows);
      for (let start = 0; start < rows; start += rowsAtOnce) {
        const end = Math.min(start + rowsAtOnce, rows);
        const some = { rows: end - start, columns, data: data.subarray(start * columns, end * columns) };
        distances.set(await ask(some, values), start);
      }
      return distances;
    },
    dispose: () => session.release(),
  };
}

/** Exact search, in at least one member; distances are averaged over the `neighbours` nearest. */
export function openNearestNeighbours(
  memory: PatchMemory,
  neighbours = 1,
  threads: Threads = 1,
): Promise<NearestNeighbours> {
  const part = nearestNeighboursPart('queries', memory, neighbours, 'result');
  return openPatchSearch(part, memory.bank.columns, { threads });
}
