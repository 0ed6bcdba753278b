import { say } from '../engine-messages.ts';
import { median, quantile, robustDeviation, standardDeviation } from '../math/quantile.ts';
import type { Message } from '../message.ts';
import type { Calibration } from '../types.ts';

/** raw / (raw + raw₀): 0 to 1, 0.5 at the calibrated threshold, in the order of raw scores. */
export const anomalyScore = (raw: number, rawThreshold: number): number => raw / (raw + rawThreshold);

/** The raw score at which `anomalyScore` equals `threshold`; infinite for 1, which nothing reaches. */
export const rawScoreAt = (threshold: number, rawThreshold: number): number =>
  threshold >= 1 ? Number.POSITIVE_INFINITY : (rawThreshold * threshold) / (1 - threshold);

/**
 * 50 at the threshold, towards 100 away from it: the probability that another image of the same item would fall on the
 * same side, with the spread of the logarithm of held-out good scores as noise.
 */
export function detectionAccuracy(raw: number, rawLimit: number, { goodScores }: Calibration): number {
  if (!Number.isFinite(rawLimit) || rawLimit <= 0) return 100;
  const { spread } = logSpread(goodScores);
  const distance = Math.abs(Math.log(Math.max(raw, 1e-12) / rawLimit));
  return 100 * normalCdf(distance / spread);
}

/** Spread of the logarithm of good scores that is taken for likely before any was seen, and how many images it counts for. */
const PRIOR_SPREAD = 0.07;
const PRIOR_WEIGHT = 4;
/** A score so many robust deviations above the median does not count for the spread; the deviation itself is no less than this. */
const MOST_DEVIATIONS = 4;
const LEAST_DEVIATION = 0.075;
const FEWEST_SCORES = 8;
/** What lower scores count as, so that all have a logarithm. */
export const LEAST_SCORE = 1e-12;

/** Mean and deviation of the logarithms of the scores, `count` of them without outliers, drawn towards the prior. */
function logSpread(scores: readonly number[]) {
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

/** Held-out scores that must lie above a threshold for it to be read off: one or two may be outliers. */
const FEWEST_ABOVE = 3;
/** Shape of the tail, between the normal (about −0.25) and the Gumbel distribution (0): measured, see docs/algorithms/calibration.md. */
const SHAPE = -0.1;
/** Γ(1 − SHAPE) and Γ(1 − 2·SHAPE). */
const [GAMMA_1, GAMMA_2] = [0.951351, 0.918169];

/** Quantile of the standard normal distribution, by bisection. */
function normalQuantile(share: number): number {
  let [low, high] = [-10, 10];
  for (let i = 0; i < 80; i++) {
    const middle = (low + high) / 2;
    if (normalCdf(middle) < share) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** Φ(z) by the rational approximation of the error function (Abramowitz & Stegun 7.1.26, |error| < 1.5e-7). */
export function normalCdf(z: number): number {
  const x = Math.abs(z) / Math.SQRT2;
  const t = 1 / (1 + 0.3275911 * x);
  const polynomial = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
  const tail = 0.5 * polynomial * Math.exp(-x * x);
  return z >= 0 ? 1 - tail : tail;
}

/** Student's t quantile from the normal quantile `z` (Abramowitz & Stegun 26.7.5). */
function studentQuantile(z: number, freedom: number): number {
  const first = (z ** 3 + z) / 4;
  const second = (5 * z ** 5 + 16 * z ** 3 + 3 * z) / 96;
  const third = (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / 384;
  return z + first / freedom + second / freedom ** 2 + third / freedom ** 3;
}

/** Quantile of the generalised extreme value distribution with mean 0 and deviation 1. */
function extremeQuantile(share: number): number {
  const mean = (GAMMA_1 - 1) / SHAPE;
  const deviation = Math.sqrt(GAMMA_2 - GAMMA_1 ** 2) / -SHAPE;
  return (((-Math.log(share)) ** -SHAPE - 1) / SHAPE - mean) / deviation;
}

/** Score that a new one exceeds with probability `rate`, between order statistics. @param sorted ascending */
function readOff(sorted: readonly number[], rate: number): number {
  const position = Math.min(Math.max((sorted.length + 1) * (1 - rate) - 1, 0), sorted.length - 1);
  const low = sorted[Math.floor(position)] ?? Number.NaN;
  const high = sorted[Math.ceil(position)] ?? low;
  return low + (high - low) * (position - Math.floor(position));
}

/**
 * Scores by leave-one-out depend on one another, since all items share a bank: so many of them count no more. Four
 * always count. See docs/algorithms/calibration.md.
 */
export const SHARED_BY_BANK = 12;
const ALWAYS_COUNT = 4;

/**
 * Prediction limit of a generalised extreme value distribution of the logarithms: a score is the highest of many
 * patches' distances, and the highest of many is distributed so (Fisher & Tippett 1928).
 */
function tailLimit(scores: readonly number[], rate: number, shared: number): number {
  const { centre, spread, count: all } = logSpread(scores);
  const count = Math.max(Math.min(all, ALWAYS_COUNT), all - shared);
  const normal = normalQuantile(1 - rate);
  // What a prediction limit is farther out than a quantile, because centre and spread are estimates.
  const caution = normal > 0.1 ? studentQuantile(normal, PRIOR_WEIGHT + count - 1) / normal : 1;
  return Math.exp(centre + extremeQuantile(1 - rate) * caution * spread * Math.sqrt(1 + 1 / count));
}

/** Unusual good items raise the threshold to the limit of the tail for this share of the rate, and no further. */
const UNUSUAL = 1 / 4;

/**
 * Raw threshold that a new good item exceeds with probability `falseAlarmRate`: the split-conformal quantile (Vovk et
 * al. 2005) of held-out good scores, at least one. With fewer than three of them above it, it is the limit of a tail
 * fitted robustly to all: one outlier among thirty must not push it over every defect. It never falls with the rate.
 * @param shared how many of the scores say nothing that the others do not say, `SHARED_BY_BANK` for leave-one-out
 */
export function conformalThreshold(goodScores: readonly number[], falseAlarmRate: number, shared = 0): number {
  const sorted = [...goodScores].sort((a, b) => a - b);
  const readable = FEWEST_ABOVE / (sorted.length + 1);
  // Just above the score itself: the verdict is NG at the threshold.
  const above = 1 + 1e-6;
  const quantileAt = (rate: number): number =>
    Math.max(LEAST_SCORE, Math.min(readOff(sorted, rate) * above, tailLimit(sorted, rate * UNUSUAL, shared)));
  if (falseAlarmRate >= readable) return quantileAt(falseAlarmRate);
  const limit = tailLimit(sorted, falseAlarmRate, shared);
  return readable < 1 ? Math.max(limit, quantileAt(readable)) : limit;
}

/** A remark where the scores of so few good items cannot vouch for the rate: n of them support 1 / (n + 1) at best. */
export function smallSampleRemark(goodItems: number, falseAlarmRate: number): Message | undefined {
  // Rates are decimal numbers: 1 / 0.07 must not become one more by rounding.
  const needed = Math.ceil(1 / falseAlarmRate - 1e-9) - 1;
  if (goodItems >= needed) return undefined;
  const percentOf = (share: number): number => Number((100 * share).toPrecision(3));
  const percents = { best: percentOf(1 / (goodItems + 1)), rate: percentOf(falseAlarmRate) };
  return say('remark.few-images', { images: goodItems, missing: needed - goodItems, ...percents });
}

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
 * among equals, and inside a gap, the geometric middle nearest to `preferred`, the threshold by good scores alone. It
 * calls no more than `falseAlarmRate` of the good scores NG, or no more than `preferred` does.
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
  const rated = candidates.map((threshold) => {
    const falseAlarms = good.length - countBelow(sortedGood, threshold);
    const escapes = countBelow(sortedDefects, threshold);
    return {
      threshold,
      cost: falseAlarms / Math.max(1, good.length) + escapes / defect.length,
      distance: Math.abs(Math.log(Math.max(threshold, 1e-12) / preferred)),
    };
  });
  return rated.sort((a, b) => a.cost - b.cost || a.distance - b.distance)[0]!.threshold;
}
