import type { Threads } from '../onnx/open-session.ts';
import { LENGTHS, nearestNeighboursPart, type PatchMemory } from './nearest-neighbours-part.ts';
import { blockDistances, openBlockSearch, singleDistances } from './open-memory-search.ts';
import { type NearestNeighbours, openPatchSearch, type PatchSearch } from './open-nearest-neighbours.ts';
import { type MapDistances, mapDistances } from './score-patches.ts';
import { MEMBER_CONSTANTS } from './shortlist-part.ts';

/** A memory bank that knows the item of each member. */
export interface OwnedBank extends PatchMemory {
  /** Item ids. [members] */
  readonly owners: readonly string[];
}

/** The bank without the members of one item; closed with the bank. */
export interface OthersSearch {
  /** For patches that are no neighbours. */
  readonly patches: NearestNeighbours;
  /** For a whole image, searched as in a prediction. */
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

/** The search in which some members are farther away than all others. */
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
 * members remain than the shortlist is long, the search is exact.
 */
export async function openLeaveOneOutBank(
  owned: OwnedBank,
  neighbours = 1,
  threads: Threads = 1,
): Promise<LeaveOneOutBank> {
  const { bank, owners, shortlist = bank.rows } = owned;
  const given = { threads, given: MEMBER_CONSTANTS.name };
  const approximate =
    shortlist < bank.rows ? await openBlockSearch({ ...owned, shortlist }, neighbours, given) : undefined;
  let exact: Promise<PatchSearch> | undefined;
  /** Opened when it is needed, since it holds another copy of the bank for every thread. */
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
      if (!approximate || remaining < shortlist) {
        const patches = withFar(openExact, own, LENGTHS.far);
        return { patches, map: mapDistances(patches) };
      }
      const others = withFar(async () => approximate, own, MEMBER_CONSTANTS.far);
      return { patches: singleDistances(others), map: blockDistances(others) };
    },
    async dispose() {
      await approximate?.dispose();
      await (await exact)?.dispose();
    },
  };
}
