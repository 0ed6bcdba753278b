import { quantile } from '../math/quantile.ts';

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
  const cost = (threshold: number): number =>
    good.filter((score) => score >= threshold).length / Math.max(1, good.length) +
    defect.filter((score) => score < threshold).length / defect.length;
  const distance = (threshold: number): number => Math.abs(Math.log(Math.max(threshold, 1e-12) / preferred));
  const [best = preferred] = candidates.sort((a, b) => cost(a) - cost(b) || distance(a) - distance(b));
  return best;
}
