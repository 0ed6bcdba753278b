import { type MapScorer, type PatchMeasure, smoothedScorer } from '../anomaly-map/map-scorer.ts';
import type { Matrix } from '../math/matrix.ts';
import type { Threads } from '../onnx/open-session.ts';
import { openMemorySearch, type PatchMemory } from './open-memory-search.ts';

/** Each row's bytes as a text: equal patches have equal ones, to the last bit. */
function rowKeys({ rows, columns, data }: Matrix): string[] {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  return Array.from({ length: rows }, (_, row) => bytes.toString('latin1', row * columns * 4, (row + 1) * columns * 4));
}

/**
 * Distances from a memory; patches are compared as they are. Held out, an image is compared without the members that are
 * its own patches, unless there are no others.
 */
export async function openBankMeasure(
  memory: PatchMemory,
  neighbours: number,
  threads: Threads = 1,
): Promise<PatchMeasure> {
  const search = await openMemorySearch(memory, neighbours, threads);
  let keys: string[] | undefined;
  function ownMembers(patches: Matrix): number[] {
    keys ??= rowKeys(memory.bank);
    const own = new Set(rowKeys(patches));
    const members = [...keys.keys()].filter((member) => own.has(keys?.[member] ?? ''));
    return members.length < memory.bank.rows ? members : [];
  }
  return {
    async measure(features, heldOut) {
      const { rows, columns, patches } = features;
      const distances = await search.distances(features, heldOut ? ownMembers(patches) : []);
      return { rows, columns, features: patches, distances };
    },
    dispose: () => search.dispose(),
  };
}

export interface BankScoring {
  readonly neighbours: number;
  /** Standard deviation of the map's blur, in cells. */
  readonly smoothing: number;
  readonly threads?: Threads;
}

/** Scores patches by their distance from a memory bank. */
export const openBankScorer = async (
  memory: PatchMemory,
  { neighbours, smoothing, threads }: BankScoring,
): Promise<MapScorer> => smoothedScorer(await openBankMeasure(memory, neighbours, threads), smoothing);
