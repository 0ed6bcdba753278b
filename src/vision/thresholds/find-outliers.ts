import { median, robustDeviation } from '../math/quantile.ts';

/** Robust deviations of the logarithm beyond which a good image looks unlike all others, and the least ratio to the median. */
const DEVIATIONS = 6;
const LEAST_RATIO = 1.6;
const LARGEST_SHARE = 0.2;
const FEWEST = 6;

/**
 * Images whose leave-out score lies far above all others' (dirty training data): their indices, worst first, at most a
 * fifth of all, so that a product of two kinds is not cut in half.
 */
export function findOutliers(scores: readonly number[]): number[] {
  if (scores.length < FEWEST) return [];
  const logs = scores.map((score) => Math.log(Math.max(score, 1e-12)));
  const limit = median(logs) + Math.max(DEVIATIONS * robustDeviation(logs), Math.log(LEAST_RATIO));
  const far = logs.flatMap((value, index) => (value > limit ? [index] : []));
  far.sort((a, b) => (logs[b] ?? 0) - (logs[a] ?? 0));
  return far.slice(0, Math.floor(LARGEST_SHARE * scores.length));
}
