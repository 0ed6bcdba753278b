import { Tensor } from 'onnxruntime-node';
import { openSession } from '../onnx/open-session.ts';
import { nearestNeighboursPart, type PatchMemory } from './nearest-neighbours-part.ts';
import type { NearestNeighbours } from './open-nearest-neighbours.ts';

/** A memory bank that knows which item each member was taken from. */
export interface OwnedBank extends PatchMemory {
  /** Item ids. [members] */
  readonly owners: readonly string[];
}

export interface LeftOutBank {
  /** The bank without the members of one item; undefined where nothing would remain. */
  without(itemId: string): NearestNeighbours | undefined;
  dispose(): Promise<void>;
}

/** Weighted squared length of a member that is left out: farther than any other, and finite, so that no NaN comes of it. */
const FAR = 1e30;

/**
 * Search in a bank as {@link openNearestNeighbours} does it, with one item's members left out at a time: exact
 * leave-one-out scores without learning the bank anew.
 */
export async function openLeftOutBank(owned: OwnedBank, neighbours = 1, threads = 1): Promise<LeftOutBank> {
  const { bank, owners } = owned;
  const { nodes, constants } = nearestNeighboursPart('queries', owned, neighbours, 'result');
  const squares = constants.find(({ name }) => name === 'bank_squares')?.data as Float32Array;
  const session = await openSession(
    {
      nodes,
      constants: constants.filter(({ name }) => name !== 'bank_squares'),
      inputs: [
        { name: 'queries', dims: ['queries', bank.columns] },
        { name: 'bank_squares', dims: [bank.rows] },
      ],
      outputs: [{ name: 'result', dims: ['queries'] }],
    },
    threads,
  );
  return {
    without(itemId) {
      const others = squares.map((square, member) => (owners[member] === itemId ? FAR : square));
      const remaining = owners.filter((owner) => owner !== itemId).length;
      if (remaining < Math.min(neighbours, bank.rows)) return undefined;
      return {
        async distances(queries) {
          const { result } = await session.run({
            queries: new Tensor('float32', queries.data, [queries.rows, queries.columns]),
            bank_squares: new Tensor('float32', others, [others.length]),
          });
          return result?.data as Float32Array;
        },
        dispose: async () => {},
      };
    },
    dispose: () => session.release(),
  };
}
