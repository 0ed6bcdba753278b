import type { LeftOutScorer, MapScorer } from '../anomaly-map/map-scorer.ts';
import { takeRows } from '../math/matrix.ts';
import type { Threads } from '../onnx/open-session.ts';
import type { PatchMemory } from './nearest-neighbours-part.ts';
import { type OwnedBank, openLeftOutBank } from './open-left-out-bank.ts';
import { openMemorySearch } from './open-memory-search.ts';
import { scorePatches } from './score-patches.ts';

export interface BankScoring {
  readonly neighbours: number;
  /** Standard deviation of the map's blur, in cells. */
  readonly smoothing: number;
  readonly threads?: Threads;
}

/** Scores by the distance from a memory. */
export async function openBankScorer(
  memory: PatchMemory,
  { neighbours, smoothing, threads }: BankScoring,
): Promise<MapScorer> {
  const search = await openMemorySearch(memory, neighbours, threads);
  return {
    score: (features) => scorePatches(features, search, smoothing),
    dispose: () => search.dispose(),
  };
}

/** Patches of an image that tell how strange it is on the whole. */
const TYPICAL = 64;
/** Scores by the distance from a memory bank without the members of one item. */
export async function openLeftOutScorer(
  owned: OwnedBank,
  { neighbours, smoothing, threads }: BankScoring,
): Promise<LeftOutScorer> {
  const leftOut = await openLeftOutBank(owned, neighbours, threads);
  return {
    async score(features, itemId) {
      const others = leftOut.without(itemId);
      return others && scorePatches(features, others.map, smoothing);
    },
    async meanDistance(patches, itemId) {
      const others = patches.rows > 0 ? leftOut.without(itemId) : undefined;
      if (!others) return undefined;
      const count = Math.min(TYPICAL, patches.rows);
      const some = Uint32Array.from({ length: count }, (_, row) => Math.floor((row * patches.rows) / count));
      const distances = await others.patches.distances(takeRows(patches, some));
      return distances.reduce((sum, distance) => sum + distance, 0) / count;
    },
    dispose: () => leftOut.dispose(),
  };
}
