import type { PatchMeasure } from '../anomaly-map/patch-measure.ts';
import type { PatchFeatures } from '../backbone/patch-extractor.ts';
import { type Matrix, takeRows } from '../math/matrix.ts';
import type { PatchMemory } from './nearest-neighbours-part.ts';
import { openMemorySearch } from './open-memory-search.ts';

/** A row's bytes as a text: equal patches have equal ones, to the last bit. */
function rowKey({ columns, data }: Matrix, row: number): string {
  const from = data.byteOffset + row * columns * 4;
  return Buffer.from(data.buffer, from, columns * 4).toString('latin1');
}

const rowKeys = (matrix: Matrix): string[] => Array.from({ length: matrix.rows }, (_, row) => rowKey(matrix, row));

/** The memory without the members that are patches of this image: the model learned from the image, and it is to be scored as unseen. */
function withoutOwn(memory: PatchMemory, keys: readonly string[], patches: Matrix): PatchMemory {
  const own = new Set(rowKeys(patches));
  const others = Uint32Array.from([...keys.keys()].filter((member) => !own.has(keys[member] ?? '')));
  // A memory of a single image has nothing else to compare with.
  if (others.length === 0 || others.length === keys.length) return memory;
  const { bank, weights } = memory;
  return {
    ...memory,
    bank: takeRows(bank, others),
    weights: weights && Float32Array.from(others, (member) => weights[member]!),
  };
}

/** Distances from a memory; patches are compared as they are. */
export async function openBankMeasure(memory: PatchMemory, neighbours: number, threads = 1): Promise<PatchMeasure> {
  const search = await openMemorySearch(memory, neighbours, threads);
  let keys: string[] | undefined;
  async function unseenDistances(features: PatchFeatures): Promise<Float32Array> {
    keys ??= rowKeys(memory.bank);
    const others = withoutOwn(memory, keys, features.patches);
    if (others === memory) return search.distances(features);
    const rest = await openMemorySearch(others, neighbours, threads);
    return rest.distances(features).finally(() => rest.dispose());
  }
  return {
    async measure(features, heldOut) {
      const { rows, columns, patches } = features;
      const distances = heldOut ? await unseenDistances(features) : await search.distances(features);
      return { rows, columns, features: patches, distances };
    },
    dispose: () => search.dispose(),
  };
}
