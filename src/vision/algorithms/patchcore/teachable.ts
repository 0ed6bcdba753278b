import { openNearestNeighbours } from '../../components/open-nearest-neighbours.ts';
import { patchDistances } from '../../components/score-patches.ts';
import { takeRows } from '../../components/select-coreset.ts';
import { openPatchExtractor } from '../../features/patch-extractor.ts';
import type { Matrix } from '../../onnx/open-matrix-product.ts';
import type { BackboneFile, ParameterValues, TeachableModel } from '../../types.ts';
import { decodePatchcore, encodePatchcore } from './codec.ts';

/** A row's bytes as a text: equal patches have equal ones, to the last bit. */
function rowKey({ columns, data }: Matrix, row: number): string {
  const from = data.byteOffset + row * columns * 4;
  return Buffer.from(data.buffer, from, columns * 4).toString('latin1');
}

/** The memory without the members that are patches of this image: it was learned from, and is to be judged unseen. */
function withoutOwn(bank: Matrix, keys: readonly string[], patches: Matrix): Matrix {
  const own = new Set(Array.from({ length: patches.rows }, (_, row) => rowKey(patches, row)));
  const others = keys.flatMap((key, member) => (own.has(key) ? [] : [member]));
  // A memory of a single image has nothing else to compare with.
  return others.length === 0 || others.length === keys.length ? bank : takeRows(bank, Uint32Array.from(others));
}

/** @throws VisionError `invalid_model`, `invalid_backbone` */
export async function openTeachablePatchcore(
  payload: Uint8Array,
  backbone: BackboneFile,
  _params: ParameterValues,
  threads = 1,
): Promise<TeachableModel> {
  const state = decodePatchcore(payload);
  const { bank, neighbours, smoothing, taught } = state;
  const keys = Array.from({ length: bank.rows }, (_, row) => rowKey(bank, row));
  const extractor = await openPatchExtractor(backbone, state.layout, state.projection, threads);
  const memory = await openNearestNeighbours(bank, neighbours, threads);
  return {
    smoothing,
    taught,
    async judge(image, heldOut) {
      const { rows, columns, patches } = await extractor.extract(image);
      const others = heldOut ? withoutOwn(bank, keys, patches) : bank;
      const own = others === bank ? memory : await openNearestNeighbours(others, neighbours, threads);
      const distances = await patchDistances(patches, own);
      if (own !== memory) await own.dispose();
      return { rows, columns, evidence: patches, distances };
    },
    encode: (learned) => encodePatchcore({ ...state, taught: learned }),
    async dispose() {
      await memory.dispose();
      await extractor.dispose();
    },
  };
}
