import type { MapScorer } from '../anomaly-map/map-scorer.ts';
import { openBankScorer, openLeftOutScorer } from '../memory-bank/bank-scorer.ts';
import type { OwnedBank } from '../memory-bank/open-left-out-bank.ts';
import { openMatrixProduct } from '../onnx/open-matrix-product.ts';
import type { TrainingPatches } from './extract-training-patches.ts';
import { findOutliers, findStrange, type Outliers } from './find-outliers.ts';
import type { FitInput } from './fit-input.ts';
import { imageThreads } from './image-threads.ts';
import { learnOwnedBank } from './learn-bank.ts';
import { judgeLeftOut, type LeftOutJudgement } from './leave-one-out.ts';

/** Members of the memory that looks for odd images where the algorithm has none of its own. */
const GUARD_BANK = 1000;

export interface GoodImages {
  readonly kept: readonly TrainingPatches[];
  /** Names of the images that look unlike all others. */
  readonly leftOut: readonly string[];
  /** Names of images that were kept though they differ from the others more than most do. */
  readonly doubtful: readonly string[];
}

async function learnGuard(images: readonly TrainingPatches[], input: FitInput): Promise<OwnedBank> {
  const product = await openMatrixProduct(imageThreads(input));
  try {
    return await learnOwnedBank(images, GUARD_BANK, input, product);
  } finally {
    await product.dispose();
  }
}

/** Judges images that are none of those that it is given. @param smoothing in cells */
export async function openGuard(
  images: readonly TrainingPatches[],
  input: FitInput,
  smoothing: number,
): Promise<MapScorer> {
  return openBankScorer(await learnGuard(images, input), { neighbours: 1, smoothing, threads: imageThreads(input) });
}

/** Indices of the scores that are above the others; NaN is not judged. */
function oddOnes(scores: readonly number[], find: (scores: readonly number[]) => Outliers): Outliers {
  const known = scores.flatMap((score, index) => (Number.isNaN(score) ? [] : [index]));
  const { far, doubtful } = find(known.map((index) => scores[index] ?? 0));
  const back = (positions: readonly number[]) => positions.map((position) => known[position] ?? -1);
  return { far: back(far), doubtful: back(doubtful) };
}

/**
 * Good images apart from those whose score is far out. Images whose patches were not kept have none: these were judged
 * while they were extracted, by another memory, and are compared with one another.
 */
export function withoutOdd(images: readonly TrainingPatches[], { scores, means }: LeftOutJudgement): GoodImages {
  const odd = [
    oddOnes(scores, findOutliers),
    oddOnes(
      images.map(({ judged }) => judged ?? Number.NaN),
      findOutliers,
    ),
    oddOnes(means, findStrange),
  ];
  const far = new Set(odd.flatMap((one) => one.far));
  const doubtful = new Set(odd.flatMap((one) => one.doubtful).filter((index) => !far.has(index)));
  const namesOf = (indices: Iterable<number>) => [...indices].flatMap((index) => images[index]?.sample.name ?? []);
  return {
    kept: images.filter((_, index) => !far.has(index)),
    leftOut: namesOf(far),
    doubtful: namesOf(doubtful),
  };
}

/**
 * Scores images by a coreset of all images without that item's members. The coreset covers rare good images, too, so
 * that two of a kind vouch for one another.
 * @param smoothing in cells
 * @throws VisionError `cancelled`
 */
export async function dropOddImages(
  images: readonly TrainingPatches[],
  input: FitInput,
  smoothing: number,
): Promise<GoodImages> {
  const scoring = { neighbours: 1, smoothing, threads: imageThreads(input) };
  const scorer = await openLeftOutScorer(await learnGuard(images, input), scoring);
  return withoutOdd(images, await judgeLeftOut(images, scorer, input.signal));
}
