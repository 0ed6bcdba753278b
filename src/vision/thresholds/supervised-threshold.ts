/**
 * Threshold between held-out good scores and defect scores with the least sum of false alarm rate and escape rate;
 * among equals, and inside a gap, the geometric middle nearest to `preferred`.
 * @param preferred the threshold that good scores alone would give
 */
export function supervisedThreshold(good: readonly number[], defect: readonly number[], preferred: number): number {
  if (defect.length === 0) return preferred;
  const scores = [...new Set([...good, ...defect])].sort((a, b) => a - b);
  const between = scores.slice(1).map((score, index) => Math.sqrt(score * (scores[index] ?? score)));
  const candidates = [preferred, ...between, (scores[0] ?? 0) * 0.999];
  const cost = (threshold: number): number =>
    good.filter((score) => score >= threshold).length / Math.max(1, good.length) +
    defect.filter((score) => score < threshold).length / defect.length;
  const distance = (threshold: number): number => Math.abs(Math.log(Math.max(threshold, 1e-12) / preferred));
  const [best = preferred] = candidates.sort((a, b) => cost(a) - cost(b) || distance(a) - distance(b));
  return best;
}
