import type { ScoredImages } from './ranking-metrics.ts';

/** How many of the sorted values lie below the limit, ties counting half. */
function countBelow(sorted: readonly number[], limit: number): number {
  const firstWhere = (isPast: (value: number) => boolean): number => {
    let [low, high] = [0, sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (isPast(sorted[middle] ?? 0)) high = middle;
      else low = middle + 1;
    }
    return low;
  };
  return (firstWhere((value) => value >= limit) + firstWhere((value) => value > limit)) / 2;
}

/** For each value the share of the others that lies below it. */
function placements(values: readonly number[], others: readonly number[]): number[] {
  const sorted = [...others].sort((a, b) => a - b);
  return values.map((value) => countBelow(sorted, value) / others.length);
}

function meanAndError(values: readonly number[]): { mean: number; squaredError: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, squaredError: values.length > 1 ? squares / (values.length - 1) / values.length : Infinity };
}

/**
 * By how much one way of scoring orders images better than another one does, as a difference of image AUROC, and the
 * standard error of it (DeLong et al. 1988: the same images both times).
 * @param before, after scores of the same images in the same order, at least one of each kind
 */
export function aurocGain(before: ScoredImages, after: ScoredImages): { gain: number; error: number } {
  const difference = (now: readonly number[], then: readonly number[]): number[] =>
    now.map((value, index) => value - (then[index] ?? 0));
  const ofDefects = meanAndError(
    difference(placements(after.defect, after.good), placements(before.defect, before.good)),
  );
  const ofGood = meanAndError(difference(placements(before.good, before.defect), placements(after.good, after.defect)));
  return { gain: ofDefects.mean, error: Math.sqrt(ofDefects.squaredError + ofGood.squaredError) };
}
