import { median, robustDeviation } from '../math/quantile.ts';

/** Robust deviations of the logarithm above the median, and the least ratio to it. */
const OUTLIER = { deviations: 6, ratio: 1.6 };
/** As far as defects among good images lie at least; one good image in thirty does, too. */
const DOUBTFUL = { deviations: 2, ratio: 1.3 };
/** Of mean distances, which vary less than the highest; one good image in a hundred lies as far. */
const STRANGE = { deviations: 2.5, ratio: 1.1 };
const LARGEST_SHARE = 0.2;
const FEWEST = 6;

export interface Outliers {
  /** Far above all others: not to be learned from. */
  readonly far: readonly number[];
  /** Above most others: worth a look. */
  readonly doubtful: readonly number[];
}

/** Indices of the scores whose logarithm lies at least so far above the median, and at most so far; worst first. */
function outliers(scores: readonly number[], from: typeof OUTLIER, to?: typeof OUTLIER): number[] {
  const logs = scores.map((score) => Math.log(Math.max(score, 1e-12)));
  const [middle, deviation] = [median(logs), robustDeviation(logs)];
  const limitOf = ({ deviations, ratio }: typeof OUTLIER) => middle + Math.max(deviations * deviation, Math.log(ratio));
  const [least, most] = [limitOf(from), to ? limitOf(to) : Number.POSITIVE_INFINITY];
  return [...logs.keys()]
    .filter((index) => logs[index]! > least && logs[index]! <= most)
    .sort((a, b) => logs[b]! - logs[a]!)
    .slice(0, Math.floor(LARGEST_SHARE * scores.length));
}

/**
 * Images whose leave-out score lies above the others' (dirty training data): their indices, worst first; of each kind at
 * most a fifth of all, so that a product of two kinds is not cut in half.
 */
export function findOutliers(scores: readonly number[]): Outliers {
  if (scores.length < FEWEST) return { far: [], doubtful: [] };
  return { far: outliers(scores, OUTLIER), doubtful: outliers(scores, DOUBTFUL, OUTLIER) };
}

/** Images that are stranger than the others on the whole, by their mean leave-out distance; never so strange that they are not learned from. */
export function findStrange(means: readonly number[]): Outliers {
  return { far: [], doubtful: means.length < FEWEST ? [] : outliers(means, STRANGE) };
}
