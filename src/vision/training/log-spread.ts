import { median, robustDeviation, standardDeviation } from '../math/quantile.ts';

/** Spread of the logarithm of good scores that is taken for likely before any was seen, and how many images it counts for. */
const PRIOR_SPREAD = 0.07;
export const PRIOR_WEIGHT = 4;
/** A score so many robust deviations above the median does not count for the spread; the deviation itself is no less than this. */
const MOST_DEVIATIONS = 4;
const LEAST_DEVIATION = 0.075;
const FEWEST_SCORES = 8;
/** What lower scores count as, so that all have a logarithm. */
export const LEAST_SCORE = 1e-12;

export interface LogSpread {
  readonly centre: number;
  readonly spread: number;
  /** Scores that counted. */
  readonly count: number;
}

/** Mean and deviation of the logarithms: robust against a few outliers, drawn towards the prior where there are few. */
export function logSpread(scores: readonly number[]): LogSpread {
  const all = scores.map((score) => Math.log(Math.max(score, LEAST_SCORE)));
  const limit = MOST_DEVIATIONS * Math.max(robustDeviation(all), LEAST_DEVIATION);
  const middle = median(all);
  // With a handful of scores the median deviation is too coarse to call one an outlier.
  const logs = all.length >= FEWEST_SCORES ? all.filter((value) => value - middle <= limit) : all;
  const freedom = Math.max(0, logs.length - 1);
  const own = standardDeviation(logs);
  const squares = PRIOR_WEIGHT * PRIOR_SPREAD ** 2 + freedom * own ** 2;
  return {
    centre: logs.length > 0 ? logs.reduce((sum, value) => sum + value, 0) / logs.length : 0,
    spread: Math.sqrt(squares / (PRIOR_WEIGHT + freedom)),
    count: logs.length,
  };
}
