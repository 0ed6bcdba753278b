import { median, robustDeviation } from '../math/quantile.ts';

/** Robust deviations of the logarithm above the median, and the least ratio to it. */
const OUTLIER = { deviations: 6, ratio: 1.6 };
/** As far as defects among good images lie at least; one good image in thirty does, too. */
const DOUBTFUL = { deviations: 2, ratio: 1.3 };
const LARGEST_SHARE = 0.2;
const FEWEST = 6;

export interface Outliers {
  /** Far above all others: not to be learned from. */
  readonly far: readonly number[];
  /** Above most others: worth a look. */
  readonly doubtful: readonly number[];
}

/**
 * Images whose leave-out score lies above the others' (dirty training data): their indices, worst first; of each kind at
 * most a fifth of all, so that a product of two kinds is not cut in half.
 */
export function findOutliers(scores: readonly number[]): Outliers {
  if (scores.length < FEWEST) return { far: [], doubtful: [] };
  const logs = scores.map((score) => Math.log(Math.max(score, 1e-12)));
  const [middle, deviation] = [median(logs), robustDeviation(logs)];
  const limitOf = ({ deviations, ratio }: typeof OUTLIER) => middle + Math.max(deviations * deviation, Math.log(ratio));
  const [far, doubtful] = [limitOf(OUTLIER), limitOf(DOUBTFUL)];
  const sorted = [...logs.keys()].sort((a, b) => (logs[b] ?? 0) - (logs[a] ?? 0));
  const between = (from: number, to: number): number[] =>
    sorted
      .filter((index) => (logs[index] ?? 0) > from && (logs[index] ?? 0) <= to)
      .slice(0, Math.floor(LARGEST_SHARE * scores.length));
  return { far: between(far, Number.POSITIVE_INFINITY), doubtful: between(doubtful, far) };
}
