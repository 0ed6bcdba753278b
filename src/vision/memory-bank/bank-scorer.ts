import type { MapScorer } from '../anomaly-map/map-scorer.ts';
import type { Threads } from '../onnx/open-session.ts';
import type { PatchMemory } from './nearest-neighbours-part.ts';
import { openMemorySearch } from './open-memory-search.ts';
import { scorePatches } from './score-patches.ts';

export interface BankScoring {
  readonly neighbours: number;
  /** Standard deviation of the map's blur, in cells. */
  readonly smoothing: number;
  readonly threads?: Threads;
}

/** Scores patches by their distance from a memory bank. */
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
