import { inspectedScore } from '../anomaly-map/inspected-map.ts';
import { takeRows } from '../math/matrix.ts';
import type { BankScoring } from '../memory-bank/bank-scorer.ts';
import { type OwnedBank, openLeaveOneOutBank } from '../memory-bank/leave-one-out-bank.ts';
import { scorePatches } from '../memory-bank/score-patches.ts';
import { prefetch } from '../onnx/prefetch.ts';
import { throwIfCancelled } from '../vision-error.ts';
import { keptImage, type TrainingPatches } from './training-patches.ts';

/** Patches of an image from which its mean distance is taken. */
const TYPICAL = 64;

/** What the bank says of each image without the members of its own item. */
export interface LeaveOneOutScores {
  /** Raw scores; NaN for an image whose feature map was not kept, or where no member remains. [images] */
  readonly scores: readonly number[];
  /** Mean distances of candidates: how strange an image is as a whole, where the score tells of its strangest place. */
  readonly means: readonly number[];
}

/**
 * Scores each image by the members of other items.
 * @throws VisionError `cancelled`
 */
export async function scoreLeaveOneOut(
  images: readonly TrainingPatches[],
  owned: OwnedBank,
  { neighbours, smoothing, threads }: BankScoring,
  signal: AbortSignal,
): Promise<LeaveOneOutScores> {
  const bank = await openLeaveOneOutBank(owned, neighbours, threads);
  const scoreOne = async ({ sample, candidates, ...rest }: TrainingPatches) => {
    throwIfCancelled(signal);
    const others = bank.without(sample.itemId);
    if (!others) return { score: Number.NaN, mean: Number.NaN };
    const image = keptImage(rest);
    const map = image && (await scorePatches(image.features, others.map, smoothing));
    const score = map ? inspectedScore(map, image.inspection) : Number.NaN;
    const count = Math.min(TYPICAL, candidates.rows);
    if (count === 0) return { score, mean: Number.NaN };
    const typical = Uint32Array.from({ length: count }, (_, row) => Math.floor((row * candidates.rows) / count));
    const distances = await others.patches.distances(takeRows(candidates, typical));
    return { score, mean: distances.reduce((sum, distance) => sum + distance, 0) / count };
  };
  const scores: number[] = [];
  const means: number[] = [];
  try {
    for await (const { score, mean } of prefetch(images, scoreOne)) {
      scores.push(score);
      means.push(mean);
    }
    return { scores, means };
  } finally {
    await bank.dispose();
  }
}
