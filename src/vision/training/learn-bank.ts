import type { PatchFeatures } from '../backbone/patch-extractor.ts';
import { joinRows } from '../math/matrix.ts';
import { memberWeights } from '../memory-bank/member-weights.ts';
import type { OwnedBank } from '../memory-bank/open-left-out-bank.ts';
import { chooseSearch } from '../memory-bank/open-memory-search.ts';
import { type CoresetOptions, selectCoreset } from '../memory-bank/select-coreset.ts';
import type { MatrixProduct } from '../onnx/open-matrix-product.ts';
import type { TrainingPatches } from './extract-training-patches.ts';
import type { FitInput } from './fit-input.ts';
import { imageThreads } from './image-threads.ts';
import { patchesOf } from './kept-grid.ts';

const PROJECTED_DIMS = 64;
/**
 * Good features that vary in few ways are covered by 2,000; the more ways, the more it takes. What is rare among few images
 * is as likely a flaw as a variety, so that they have to be covered less closely.
 */
function sizeByVariety(items: number): Pick<CoresetOptions, 'count' | 'enough'> {
  return { count: 16_000, enough: { least: 2000, share: 0.47 - 0.07 * Math.min(1, items / 500) } };
}

/** The greedy coreset of the images' candidates, `count` members at most (0: as many as their variety needs), and whose they are. */
export async function learnOwnedBank(
  images: readonly TrainingPatches[],
  count: number,
  input: FitInput,
  product: MatrixProduct,
): Promise<OwnedBank> {
  const { random, signal } = input;
  const candidates = joinRows(images.map((image) => image.candidates));
  const owners = images.flatMap((image) => new Array<string>(image.candidates.rows).fill(image.sample.itemId));
  const size = count === 0 ? sizeByVariety(new Set(owners).size) : { count };
  const options = { ...size, projectedDims: PROJECTED_DIMS, random, product, signal, threads: imageThreads(input) };
  const members = await selectCoreset(candidates, options);
  return { bank: candidates.take(members), owners: Array.from(members, (member) => owners[member] ?? '') };
}

/** The same with distances weighted by how much good products vary around each member. */
export async function learnWeightedBank(
  images: readonly TrainingPatches[],
  count: number,
  input: FitInput,
  product: MatrixProduct,
): Promise<OwnedBank> {
  const owned = await learnOwnedBank(images, count, input, product);
  return { ...owned, weights: await memberWeights(owned, imageThreads(input)) };
}

const SOME_PATCHES = 4096;

/** Whole grids of the first images that have them, a few thousand patches. */
export function someGrids(images: readonly Pick<TrainingPatches, 'grid'>[]): PatchFeatures[] {
  const grids: PatchFeatures[] = [];
  let patches = 0;
  for (const { grid } of images) {
    if (patches >= SOME_PATCHES) break;
    if (!grid) continue;
    grids.push(patchesOf(grid));
    patches += grid.rows * grid.columns;
  }
  return grids;
}

/** The same with the search by which it judges images, those that it learned from as well as others. */
export async function learnSearchedBank(
  images: readonly TrainingPatches[],
  count: number,
  neighbours: number,
  input: FitInput,
  product: MatrixProduct,
): Promise<OwnedBank> {
  const owned = await learnWeightedBank(images, count, input, product);
  return { ...owned, ...(await chooseSearch(owned, neighbours, someGrids(images), imageThreads(input))) };
}
