import { median, robustDeviation, standardDeviation } from '../math/quantile.ts';

/** Spread of the logarithm of good scores that is taken for likely before any was seen, and how many images it counts for. */
const PRIOR_SPREAD = 0.15;
const PRIOR_WEIGHT = 4;
/** A score so many robust deviations above the median does not count for the spread. */
const ODD_DEVIATIONS = 4;
const FEWEST_TO_JUDGE = 8;

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

/** Student's t quantile from the normal one (Abramowitz & Stegun 26.7.5). */
function studentQuantile(share: number, freedom: number): number {
  const z = normalQuantile(share);
  const first = (z ** 3 + z) / 4;
  const second = (5 * z ** 5 + 16 * z ** 3 + 3 * z) / 96;
  const third = (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / 384;
  return z + first / freedom + second / freedom ** 2 + third / freedom ** 3;
}

/** Centre and spread of the logarithms: robust against a few odd images, drawn towards the prior where there are few. */
export function logSpread(scores: readonly number[]): { centre: number; spread: number } {
  const all = scores.map((score) => Math.log(Math.max(score, 1e-12)));
  const limit = ODD_DEVIATIONS * Math.max(robustDeviation(all), PRIOR_SPREAD / 2);
  const middle = median(all);
  // With a handful the median deviation is too coarse to call anything odd.
  const logs = all.length >= FEWEST_TO_JUDGE ? all.filter((value) => value - middle <= limit) : all;
  const freedom = Math.max(0, logs.length - 1);
  const own = standardDeviation(logs);
  const squares = PRIOR_WEIGHT * PRIOR_SPREAD ** 2 + freedom * own ** 2;
  return { centre: logs.length > 0 ? median(logs) : 0, spread: Math.sqrt(squares / (PRIOR_WEIGHT + freedom)) };
}

/**
 * Raw threshold that a new good image exceeds with probability `falseAlarmRate` at most: the split-conformal quantile
 * (Vovk et al. 2005) of held-out good scores; where there are too few to read it off, the prediction limit of a
 * log-normal distribution fitted robustly, with a weak prior on its spread: one odd image among thirty must not push
 * the threshold over every defect.
 * @param goodScores held-out raw scores, at least one
 */
export function conformalThreshold(goodScores: readonly number[], falseAlarmRate: number): number {
  const sorted = [...goodScores].sort((a, b) => a - b);
  const count = sorted.length;
  const rank = Math.ceil((count + 1) * (1 - falseAlarmRate));
  const highest = sorted[count - 1] ?? Number.NaN;
  // Just above the score of that rank: the verdict is NG at the threshold itself.
  if (rank <= count) return (sorted[rank - 1] ?? highest) * (1 + 1e-6);
  const { centre, spread } = logSpread(sorted);
  const quantile = studentQuantile(1 - falseAlarmRate, PRIOR_WEIGHT + count - 1);
  return Math.exp(centre + quantile * spread * Math.sqrt(1 + 1 / count));
}

/** A remark where so few held-out images cannot vouch for the rate that was asked for. */
export function smallSampleRemark(goodImages: number, falseAlarmRate: number): string | undefined {
  const needed = Math.ceil(1 / falseAlarmRate);
  if (goodImages >= needed - 1) return undefined;
  const best = Math.max(1, Math.round(100 / (goodImages + 1)));
  const images = goodImages === 1 ? '1 good image supports' : `${goodImages} good images support`;
  return `${images} a false alarm rate of ${best} % at best; add ${needed - goodImages} to vouch for ${100 * falseAlarmRate} %.`;
}
