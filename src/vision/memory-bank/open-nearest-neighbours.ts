import { Tensor } from 'onnxruntime-node';
import type { Matrix } from '../math/matrix.ts';
import type { OnnxPart } from '../onnx/onnx-model.ts';
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

/**
 * Entries of the product of queries and members at a time, so that it stays in the processor's cache; and the fewest rows that keep
 * it busy. Of 1,024 rows and 16,000 members it would take 64 MB.
 */
const PRODUCT = 2 ** 19;
const FEWEST_ROWS = 64;

/** Rows that are to be compared with so many members at a time. */
export const rowsAgainst = (members: number): number => Math.max(FEWEST_ROWS, Math.floor(PRODUCT / members));

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
  return {
    given: (given[0]?.data as Float32Array | undefined) ?? new Float32Array(),
    async distances({ rows, columns, data }, values) {
      const constant = values ? { [name]: new Tensor('float32', values, [values.length]) } : {};
      const size = Math.min(rows, rowsAtOnce);
      const parts = Array.from({ length: Math.ceil(rows / size) }, (_, part) => {
        const [start, end] = [part * size, Math.min((part + 1) * size, rows)];
        const queries = new Tensor('float32', data.subarray(start * columns, end * columns), [end - start, columns]);
        return { queries, ...constant };
      });
      const distances = new Float32Array(rows);
      (await session.runEach(parts)).forEach(({ result }, part) => {
        distances.set(result?.data as Float32Array, part * size);
      });
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
  return openPatchSearch(part, memory.bank.columns, { threads, rowsAtOnce: rowsAgainst(memory.bank.rows) });
}
