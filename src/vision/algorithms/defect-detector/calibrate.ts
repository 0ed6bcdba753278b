import { highestScore, inspectMap } from '../../anomaly-map/inspected-map.ts';
import type { MapScorer } from '../../anomaly-map/map-scorer.ts';
import { NO_MARGINS } from '../../anomaly-map/parse-ignore-outer.ts';
import type { PatchFeatures } from '../../backbone/patch-extractor.ts';
import { conformalThreshold } from '../../training/conformal-threshold.ts';
import { supervisedThreshold } from '../../training/supervised-threshold.ts';
import type { Calibration, PreparedImage, ScoreMap, TrainingSample } from '../../types.ts';
import type { CellPredictor } from './detector-network.ts';
import type { Limits } from './model.ts';
import { defectProbabilities } from './network-cells.ts';

/** A detector that was trained on part of the images. */
export interface PartialDetector {
  readonly scorer: MapScorer;
  readonly network: CellPredictor;
}

/** The highest values that a detector found in an image that it had not seen. */
export interface HeldOutScore {
  readonly probability: number;
  readonly distance: number;
}

export interface HeldOutImage {
  readonly sample: TrainingSample;
  load(): Promise<{ readonly prepared: PreparedImage; readonly features: PatchFeatures }>;
}

export interface HeldOutScores {
  readonly good: readonly HeldOutScore[];
  readonly defect: readonly HeldOutScore[];
}

/** Threshold of probabilities where the NG images do not tell, and the range that it may have. */
const USUAL_PROBABILITY = 0.5;
const MIN_PROBABILITY = 0.05;
const MAX_PROBABILITY = 0.95;

/**
 * Cross-validation: scores every image by a detector that was trained on no image of its item.
 * @param folds indices of the images that each fold holds out
 * @param train from the ids of the other items; undefined where they have no good image or no defect
 */
export async function scoreHeldOut(
  images: readonly HeldOutImage[],
  folds: readonly (readonly number[])[],
  train: (itemIds: ReadonlySet<string>) => Promise<PartialDetector | undefined>,
): Promise<HeldOutScores> {
  const good: HeldOutScore[] = [];
  const defect: HeldOutScore[] = [];
  for (const fold of folds) {
    const heldOut = new Set(fold);
    const others = images.filter((_, index) => !heldOut.has(index));
    const detector = await train(new Set(others.map(({ sample }) => sample.itemId)));
    if (!detector) continue;
    for (const index of fold) {
      const { sample, load } = images[index]!;
      const { features, prepared } = await load();
      const highest = (map: ScoreMap): number => highestScore(inspectMap(map, prepared, NO_MARGINS));
      const probability = highest(defectProbabilities(await detector.network.predict(prepared.image)));
      const distance = highest(await detector.scorer.score(features));
      (sample.good ? good : defect).push({ probability, distance });
    }
    await detector.scorer.dispose();
    await detector.network.dispose();
  }
  return { good, defect };
}

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
