import type { Threads } from '../onnx/open-session.ts';
import { LENGTHS, nearestNeighboursPart, type PatchMemory } from './nearest-neighbours-part.ts';
import { candidateDistances, openCandidateSearch, searchAlone } from './open-memory-search.ts';
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
  /** For patches from anywhere. */
  readonly patches: NearestNeighbours;
  /** For a whole image, as the bank is searched when it judges one. */
  readonly map: MapDistances;
}

export interface LeaveOneOutBank {
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
function withFar(open: () => Promise<PatchSearch>, members: readonly number[], far: number): NearestNeighbours {
  return {
    async distances(queries) {
      const search = await open();
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
export async function openLeaveOneOutBank(
  owned: OwnedBank,
  neighbours = 1,
  threads: Threads = 1,
): Promise<LeaveOneOutBank> {
  const { bank, owners, candidates = bank.rows } = owned;
  const among = { threads, given: ROUGH_LENGTHS.name };
  const rough =
    candidates < bank.rows ? await openCandidateSearch({ ...owned, candidates }, neighbours, among) : undefined;
  let exact: Promise<PatchSearch> | undefined;
  /** Opened where it is asked, since it is another copy of the memory for every thread. */
  const openExact = (): Promise<PatchSearch> => {
    exact ??= openPatchSearch(nearestNeighboursPart('queries', owned, neighbours, 'result'), bank.columns, {
      threads,
      given: LENGTHS.name,
    });
    return exact;
  };
  const membersOf = membersByItem(owners);
  return {
    without(itemId) {
      const own = membersOf.get(itemId) ?? [];
      const remaining = bank.rows - own.length;
      if (remaining < Math.min(neighbours, bank.rows)) return undefined;
      if (!rough || remaining < candidates) {
        const patches = withFar(openExact, own, LENGTHS.far);
        return { patches, map: mapDistances(patches) };
      }
      const others = withFar(async () => rough, own, ROUGH_LENGTHS.far);
      return { patches: searchAlone(owned, others), map: candidateDistances(owned, others) };
    },
    async dispose() {
      await rough?.dispose();
      await (await exact)?.dispose();
    },
  };
}
