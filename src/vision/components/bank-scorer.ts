import type { Matrix, MatrixProduct } from '../onnx/open-matrix-product.ts';
import type { FitInput } from '../types.ts';
import type { TrainingPatches } from './extract-training-patches.ts';
import type { MapScorer } from './map-scorer.ts';
import { openNearestNeighbours } from './open-nearest-neighbours.ts';
import { stackRows } from './open-patch-source.ts';
import { scorePatches } from './score-patches.ts';
import { selectCoreset, takeRows } from './select-coreset.ts';

export interface BankScoring {
  readonly neighbours: number;
  /** Standard deviation of the map's blur, in cells. */
  readonly smoothing: number;
  readonly threads?: number;
}

/** Scores by the distance from a memory bank [members, axes]. */
export async function openBankScorer(
  bank: Matrix,
  { neighbours, smoothing, threads }: BankScoring,
): Promise<MapScorer> {
  const memory = await openNearestNeighbours(bank, neighbours, threads);
  return {
    score: (features) => scorePatches(features, memory, smoothing),
    dispose: () => memory.dispose(),
  };
}

const PROJECTED_DIMS = 64;

/** The greedy coreset of the images' candidates, `count` members at most. */
export async function learnBank(
  images: readonly TrainingPatches[],
  count: number,
  { random, signal, threads }: FitInput,
  product: MatrixProduct,
): Promise<Matrix> {
  const candidates = stackRows(images.map((image) => image.candidates));
  const options = { count, projectedDims: PROJECTED_DIMS, random, product, signal, threads: threads ?? 1 };
  return takeRows(candidates, await selectCoreset(candidates, options));
}
