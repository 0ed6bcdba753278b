import type { PatchFeatures } from '../backbone/patch-extractor.ts';
import { gaussianBlur } from '../math/gaussian-blur.ts';
import type { Matrix } from '../math/matrix.ts';
import type { ScoreMap } from '../types.ts';
import type { NearestNeighbours } from './open-nearest-neighbours.ts';

/** Patches that go through the search at once, so that its working memory does not grow with the image. */
const CHUNK = 1024;

/** Distance of every patch from the memory. [patches] */
export async function patchDistances(patches: Matrix, memory: NearestNeighbours): Promise<Float32Array> {
  const data = new Float32Array(patches.rows);
  for (let start = 0; start < patches.rows; start += CHUNK) {
    const count = Math.min(CHUNK, patches.rows - start);
    const part = patches.data.subarray(start * patches.columns, (start + count) * patches.columns);
    data.set(await memory.distances({ rows: count, columns: patches.columns, data: part }), start);
  }
  return data;
}

/** Distances of all patches of an image. */
export interface MapDistances {
  /** [rows · columns] */
  distances(features: PatchFeatures): Promise<Float32Array>;
  dispose(): Promise<void>;
}

/** A search to which it does not matter where a patch lies. */
export const mapDistances = (memory: NearestNeighbours): MapDistances => ({
  distances: ({ patches }) => patchDistances(patches, memory),
  dispose: () => memory.dispose(),
});

/** Distance of every patch from the memory, as a smoothed map. */
export async function scorePatches(
  features: PatchFeatures,
  memory: MapDistances,
  smoothing: number,
): Promise<ScoreMap> {
  const { rows, columns } = features;
  return gaussianBlur({ rows, columns, data: await memory.distances(features) }, smoothing);
}
