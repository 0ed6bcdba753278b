import type { Threads } from '../onnx/open-session.ts';
import { LENGTHS, nearestNeighboursPart, type PatchMemory } from './nearest-neighbours-part.ts';
import { candidateDistances, openCandidateSearch } from './open-memory-search.ts';
import { type NearestNeighbours, openPatchSearch, type PatchSearch } from './open-nearest-neighbours.ts';
import { ROUGH_LENGTHS } from './rough-choice-part.ts';
import { type MapDistances, mapDistances } from './score-patches.ts';

/** A memory bank that knows which item each member was taken from. */
export interface OwnedBank extends PatchMemory {
  /** Item ids. [members] */
  readonly owners: readonly string[];
}

/** The bank without the members of one item; closed with the bank. */
export interface OthersSearch {
  /** Exact, for patches from anywhere. */
  readonly patches: NearestNeighbours;
  /** For a whole image, as the bank is searched when it judges one. */
  readonly map: MapDistances;
}

export interface LeftOutBank {
  /** undefined where nothing would remain. */
  without(itemId: string): OthersSearch | undefined;
  dispose(): Promise<void>;
}

function membersByItem(owners: readonly string[]): Map<string, number[]> {
  const members = new Map<string, number[]>();
  owners.forEach((owner, member) => {
    const own = members.get(owner);
    if (own) own.push(member);
    else members.set(owner, [member]);
  });
  return members;
}

/** The search in which some members are farther than all others. */
function withFar(search: PatchSearch, members: readonly number[], far: number): NearestNeighbours {
  return {
    distances(queries) {
      const lengths = search.given.slice();
      for (const member of members) lengths[member] = far;
      return search.distances(queries, lengths);
    },
    dispose: async () => {},
  };
}

/**
 * Search in a bank without one item's members at a time: leave-one-out scores without learning the bank anew. Where fewer
 * members remain than there are to be candidates, all of them are looked at.
 */
export async function openLeftOutBank(owned: OwnedBank, neighbours = 1, threads: Threads = 1): Promise<LeftOutBank> {
  const { bank, owners, candidates = bank.rows } = owned;
  const part = nearestNeighboursPart('queries', owned, neighbours, 'result');
  const among = { threads, given: ROUGH_LENGTHS.name };
  const [exact, rough] = await Promise.all([
    openPatchSearch(part, bank.columns, { threads, given: LENGTHS.name }),
    candidates < bank.rows ? openCandidateSearch({ ...owned, candidates }, neighbours, among) : undefined,
  ]);
  const membersOf = membersByItem(owners);
  return {
    without(itemId) {
      const own = membersOf.get(itemId) ?? [];
      const remaining = bank.rows - own.length;
      if (remaining < Math.min(neighbours, bank.rows)) return undefined;
      const patches = withFar(exact, own, LENGTHS.far);
      if (!rough || remaining < candidates) return { patches, map: mapDistances(patches) };
      return { patches, map: candidateDistances(owned, withFar(rough, own, ROUGH_LENGTHS.far)) };
    },
    async dispose() {
      await exact.dispose();
      await rough?.dispose();
    },
  };
}
