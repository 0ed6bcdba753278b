import type { Calibration } from '../types.ts';
import { normalCdf } from './conformal-threshold.ts';
import { logSpread } from './log-spread.ts';

/** raw / (raw + raw₀): 0 to 1, 0.5 at the calibrated threshold, in the order of raw scores. */
export const anomalyScore = (raw: number, rawThreshold: number): number => raw / (raw + rawThreshold);

/** The raw score at which `anomalyScore` equals `threshold`; infinite for 1, which nothing reaches. */
export const rawScoreAt = (threshold: number, rawThreshold: number): number =>
  threshold >= 1 ? Number.POSITIVE_INFINITY : (rawThreshold * threshold) / (1 - threshold);

/**
 * How sure the verdict is, 50 at the threshold, towards 100 away from it: the probability that another image of the
 * same item would fall on the same side, taking the spread of held-out good scores (of their logarithm) as noise.
 */
export function detectionAccuracy(raw: number, rawLimit: number, { goodScores }: Calibration): number {
  if (!Number.isFinite(rawLimit)) return 100;
  if (rawLimit <= 0) return 100;
  const { spread } = logSpread(goodScores);
  const distance = Math.abs(Math.log(Math.max(raw, 1e-12) / rawLimit));
  return 100 * normalCdf(distance / spread);
}
