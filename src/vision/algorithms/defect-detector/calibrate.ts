import { conformalThreshold, supervisedThreshold } from '../../training/thresholds.ts';
import type { Calibration } from '../../types.ts';
import type { Limits } from './model.ts';

/** The highest values that a detector found in an image that it had not seen. */
export interface HeldOutScore {
  readonly probability: number;
  readonly distance: number;
}

export interface HeldOutScores {
  readonly good: readonly HeldOutScore[];
  readonly defect: readonly HeldOutScore[];
}

/** Threshold of probabilities where the NG images do not tell, and the range that it may have. */
const USUAL_PROBABILITY = 0.5;
const MIN_PROBABILITY = 0.05;
const MAX_PROBABILITY = 0.95;

/** Thresholds from held-out scores, and these scores in parts of the thresholds: a raw score of 1 is the threshold. */
export function calibrate({ good, defect }: HeldOutScores, falseAlarmRate: number) {
  const probabilities = (scores: readonly HeldOutScore[]): number[] => scores.map(({ probability }) => probability);
  const distances = good.map(({ distance }) => distance);
  const between = supervisedThreshold(probabilities(good), probabilities(defect), USUAL_PROBABILITY);
  const limits: Limits = {
    probability: Math.min(MAX_PROBABILITY, Math.max(MIN_PROBABILITY, between)),
    distance: conformalThreshold(distances, falseAlarmRate),
  };
  const rawScore = ({ probability, distance }: HeldOutScore): number =>
    Math.max(probability / limits.probability, distance / limits.distance);
  const calibration: Calibration = {
    rawThreshold: 1,
    goodScores: good.map(rawScore),
    defectScores: defect.map(rawScore),
  };
  return { limits, calibration };
}
