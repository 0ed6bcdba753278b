import { quantile } from '../math/quantile.ts';

/** How many of the values are less than the limit, by binary search. @param sorted ascending */
function countBelow(sorted: Float64Array, limit: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Threshold between held-out good scores and defect scores with the least sum of false alarm rate and escape rate;
 * among equals, and inside a gap, the geometric middle nearest to `preferred`. It never calls more than
 * `falseAlarmRate` of the good scores NG, nor more than `preferred` does: what was promised of good products holds
 * whatever defects were shown.
 * @param preferred the threshold that good scores alone would give
 * @param falseAlarmRate absent: nothing was promised
 */
export function supervisedThreshold(
  good: readonly number[],
  defect: readonly number[],
  preferred: number,
  falseAlarmRate = 1,
): number {
  if (defect.length === 0) return preferred;
  const floor = good.length === 0 || falseAlarmRate >= 1 ? 0 : Math.min(preferred, quantile(good, 1 - falseAlarmRate));
  const scores = [...new Set([...good, ...defect])].sort((a, b) => a - b);
  const between = scores.slice(1).map((score, index) => Math.sqrt(score * (scores[index] ?? score)));
  const lowest = (scores[0] ?? 0) * 0.999;
  const candidates = [preferred, ...[...between, lowest].filter((candidate) => candidate > floor)];
  const sortedGood = Float64Array.from(good).sort();
  const sortedDefects = Float64Array.from(defect).sort();
  const cost = (threshold: number): number =>
    (good.length - countBelow(sortedGood, threshold)) / Math.max(1, good.length) +
    countBelow(sortedDefects, threshold) / defect.length;
  const distance = (threshold: number): number => Math.abs(Math.log(Math.max(threshold, 1e-12) / preferred));
  const [best = preferred] = candidates
    .map((threshold) => ({ threshold, cost: cost(threshold), distance: distance(threshold) }))
    .sort((a, b) => a.cost - b.cost || a.distance - b.distance)
    .map(({ threshold }) => threshold);
  return best;
}
