import type { Matrix } from '../onnx/open-matrix-product.ts';
import { openNearestNeighbours } from './open-nearest-neighbours.ts';
import type { PatchMeasure } from './patch-measure.ts';
import { patchDistances } from './score-patches.ts';
import { takeRows } from './select-coreset.ts';

/** A row's bytes as a text: equal patches have equal ones, to the last bit. */
function rowKey({ columns, data }: Matrix, row: number): string {
  const from = data.byteOffset + row * columns * 4;
  return Buffer.from(data.buffer, from, columns * 4).toString('latin1');
}

const rowKeys = (matrix: Matrix): string[] => Array.from({ length: matrix.rows }, (_, row) => rowKey(matrix, row));

/** The memory without the members that are patches of this image: it was learned from, and is to be judged unseen. */
function withoutOwn(bank: Matrix, keys: readonly string[], patches: Matrix): Matrix {
  const own = new Set(rowKeys(patches));
  const others = keys.flatMap((key, member) => (own.has(key) ? [] : [member]));
  // A memory of a single image has nothing else to compare with.
  return others.length === 0 || others.length === keys.length ? bank : takeRows(bank, Uint32Array.from(others));
}

/** Distances from a memory bank [members, axes]; patches are compared as they are. */
export async function openBankMeasure(bank: Matrix, neighbours: number, threads = 1): Promise<PatchMeasure> {
  const memory = await openNearestNeighbours(bank, neighbours, threads);
  let keys: string[] | undefined;
  async function unseenDistances(patches: Matrix): Promise<Float32Array> {
    keys ??= rowKeys(bank);
    const others = withoutOwn(bank, keys, patches);
    if (others === bank) return patchDistances(patches, memory);
    const rest = await openNearestNeighbours(others, neighbours, threads);
    return patchDistances(patches, rest).finally(() => rest.dispose());
  }
  return {
    async measure({ rows, columns, patches }, heldOut) {
      const distances = heldOut ? await unseenDistances(patches) : await patchDistances(patches, memory);
      return { rows, columns, evidence: patches, distances };
    },
    dispose: () => memory.dispose(),
  };
}
