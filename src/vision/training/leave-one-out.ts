import { inspectedScore } from '../anomaly-map/inspected-map.ts';
import { gaussianBlur } from '../math/gaussian-blur.ts';
import { takeRows } from '../math/matrix.ts';
import type { BankScoring } from '../memory-bank/bank-measure.ts';
import { openMemorySearch } from '../memory-bank/open-memory-search.ts';
import type { OwnedBank } from '../memory-bank/patch-memory.ts';
import { prefetch } from '../onnx/prefetch.ts';
import { throwIfCancelled } from '../vision-error.ts';
import { unpackFeatures } from './feature-map-16.ts';
import type { TrainingPatches } from './training-patches.ts';

/** Patches of an image from which its mean distance is taken. */
const TYPICAL = 64;

/** What the bank says of each image without the members of its own item. */
export interface LeaveOneOutScores {
  /** Raw scores; NaN for an image whose feature map was not kept, or where no member remains. [images] */
  readonly scores: readonly number[];
  /** Mean distances of candidates: how strange an image is as a whole, where the score tells of its strangest place. */
  readonly means: readonly number[];
}

function membersByItem(owners: readonly string[]): Map<string, number[]> {
  const members = new Map<string, number[]>();
  owners.forEach((owner, member) => {
    const own = members.get(owner);
    if (own) own.push(member);
    else members.set(owner, [member]);
  });
  return members;
}

/**
 * Scores each image by the members of other items: leave-one-out without learning the bank anew.
 * @throws VisionError `cancelled`
 */
export async function scoreLeaveOneOut(
  images: readonly TrainingPatches[],
  owned: OwnedBank,
  { neighbours, smoothing, threads }: BankScoring,
  signal: AbortSignal,
): Promise<LeaveOneOutScores> {
  const members = owned.bank.rows;
  const membersOf = membersByItem(owned.owners);
  const search = await openMemorySearch(owned, neighbours, threads);
  const scoreOne = async ({ sample, candidates, featureMap, inspection }: TrainingPatches) => {
    throwIfCancelled(signal);
    const own = membersOf.get(sample.itemId) ?? [];
    if (members - own.length < Math.min(neighbours, members)) return { score: Number.NaN, mean: Number.NaN };
    let score = Number.NaN;
    if (featureMap) {
      const features = unpackFeatures(featureMap);
      const { rows, columns } = features;
      const data = await search.distances(features, own);
      score = inspectedScore(gaussianBlur({ rows, columns, data }, smoothing), inspection);
    }
    const count = Math.min(TYPICAL, candidates.rows);
    if (count === 0) return { score, mean: Number.NaN };
    const typical = Uint32Array.from({ length: count }, (_, row) => Math.floor((row * candidates.rows) / count));
    const distances = await search.patchDistances(takeRows(candidates, typical), own);
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
    await search.dispose();
  }
}
