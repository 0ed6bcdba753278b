import type { TrainingPatches } from '../../components/extract-training-patches.ts';
import { openNearestNeighbours } from '../../components/open-nearest-neighbours.ts';
import type { PatchFeatures } from '../../features/patch-extractor.ts';
import { highestScore, inspectMap } from '../../heatmaps/inspected-map.ts';
import { NO_MARGINS } from '../../inspection/parse-ignore-outer.ts';
import type { Matrix } from '../../onnx/open-matrix-product.ts';
import { scorePatches } from './score-patches.ts';

/** An image with all its patches. */
export type ScorableImage = Pick<TrainingPatches, 'frame'> & { readonly features: PatchFeatures };

export interface ScoreOptions {
  readonly neighbours: number;
  readonly smoothing: number;
}

/** Raw scores of the images by a memory, exactly as a prediction would give them. */
export async function scoreImages(
  images: readonly ScorableImage[],
  bank: Matrix,
  { neighbours, smoothing }: ScoreOptions,
): Promise<number[]> {
  const memory = await openNearestNeighbours(bank, neighbours);
  try {
    const scores: number[] = [];
    for (const { features, frame } of images)
      scores.push(highestScore(inspectMap(await scorePatches(features, memory, smoothing), frame, NO_MARGINS)));
    return scores;
  } finally {
    await memory.dispose();
  }
}

/** Builds a memory from the candidates of some images. */
export type BankBuilder = (images: readonly TrainingPatches[]) => Promise<Matrix>;

/**
 * For each image its score by a memory made of the other folds' images; NaN where not all its patches were kept.
 * @param folds indices of the images that each fold holds out
 */
export async function heldOutScores(
  images: readonly TrainingPatches[],
  folds: readonly (readonly number[])[],
  buildBank: BankBuilder,
  options: ScoreOptions,
): Promise<number[]> {
  const scores = new Array<number>(images.length).fill(Number.NaN);
  for (const fold of folds) {
    const out = new Set(fold);
    const scored = fold.filter((index) => images[index]?.features !== undefined);
    if (scored.length === 0) continue;
    const bank = await buildBank(images.filter((_, index) => !out.has(index)));
    const scorable = scored.flatMap((index) => {
      const image = images[index];
      return image?.features ? [{ frame: image.frame, features: image.features }] : [];
    });
    const found = await scoreImages(scorable, bank, options);
    scored.forEach((index, position) => {
      scores[index] = found[position] ?? Number.NaN;
    });
  }
  return scores;
}
