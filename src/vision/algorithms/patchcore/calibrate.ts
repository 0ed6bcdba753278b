import type { TrainingPatches } from '../../components/extract-training-patches.ts';
import { type NearestNeighbours, openNearestNeighbours } from '../../components/open-nearest-neighbours.ts';
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
  readonly threads: number;
}

const openMemory = (bank: Matrix, { neighbours, threads }: ScoreOptions): Promise<NearestNeighbours> =>
  openNearestNeighbours(bank, neighbours, threads);

async function scoreImage({ features, frame }: ScorableImage, memory: NearestNeighbours, { smoothing }: ScoreOptions) {
  return highestScore(inspectMap(await scorePatches(features, memory, smoothing), frame, NO_MARGINS));
}

/** Raw scores of the images by a memory, exactly as a prediction would give them. */
export async function scoreImages(
  images: readonly ScorableImage[],
  bank: Matrix,
  options: ScoreOptions,
): Promise<number[]> {
  const memory = await openMemory(bank, options);
  try {
    const scores: number[] = [];
    for (const image of images) scores.push(await scoreImage(image, memory, options));
    return scores;
  } finally {
    await memory.dispose();
  }
}

/** Builds a memory from the candidates of some images. */
export type BankBuilder = (images: readonly TrainingPatches[]) => Promise<Matrix>;

/**
 * For each image its score by a memory made of the other folds' images.
 * @param folds indices of the images that each fold holds out
 * @param extract gives the features of an image whose grid was not kept; absent: such an image's score is NaN
 */
export async function heldOutScores(
  images: readonly TrainingPatches[],
  folds: readonly (readonly number[])[],
  buildBank: BankBuilder,
  options: ScoreOptions,
  extract?: (image: TrainingPatches) => Promise<PatchFeatures>,
): Promise<number[]> {
  const scores = new Array<number>(images.length).fill(Number.NaN);
  for (const fold of folds) {
    const out = new Set(fold);
    const scored = fold.filter((index) => extract !== undefined || images[index]?.features !== undefined);
    if (scored.length === 0) continue;
    const memory = await openMemory(await buildBank(images.filter((_, index) => !out.has(index))), options);
    for (const index of scored) {
      const image = images[index];
      const features = image && (image.features ?? (await extract?.(image)));
      if (features) scores[index] = await scoreImage({ frame: image.frame, features }, memory, options);
    }
    await memory.dispose();
  }
  return scores;
}
