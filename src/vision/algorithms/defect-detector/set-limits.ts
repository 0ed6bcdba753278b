import { highestScore, inspectMap } from '../../anomaly-map/inspected-map.ts';
import { NO_MARGINS } from '../../anomaly-map/parse-ignore-outer.ts';
import type { PatchFeatures } from '../../backbone/patch-extractor.ts';
import { conformalThreshold } from '../../training/conformal-threshold.ts';
import { supervisedThreshold } from '../../training/supervised-threshold.ts';
import type { Calibration, PreparedImage, ScoreMap, TrainingSample } from '../../types.ts';
import { type Judge, judgeImage, type Limits } from './judge-image.ts';

/** What a judge that had not seen an image found at most in it. */
export interface Strongest {
  readonly probability: number;
  readonly distance: number;
}

/** An image to be judged by what was learned from others. */
export interface HeldOutImage {
  readonly sample: TrainingSample;
  load(): Promise<{ readonly prepared: PreparedImage; readonly features: PatchFeatures }>;
}

export interface Evidence {
  readonly good: Strongest[];
  readonly defect: Strongest[];
}

const LIKELY = 0.5;
const [LOWEST, HIGHEST] = [0.05, 0.95];

/** Judges every image by a judge that has seen no image of its item. */
export async function heldOutEvidence(
  images: readonly HeldOutImage[],
  folds: readonly (readonly number[])[],
  learn: (items: ReadonlySet<string>) => Promise<Judge | undefined>,
): Promise<Evidence> {
  const evidence: Evidence = { good: [], defect: [] };
  for (const fold of folds) {
    const out = new Set(fold);
    const items = images.flatMap(({ sample }, index) => (out.has(index) ? [] : [sample.itemId]));
    const judge = await learn(new Set(items));
    if (!judge) continue;
    for (const index of fold) {
      const image = images[index];
      if (!image) continue;
      const { features, prepared } = await image.load();
      const { heat, distances } = await judgeImage(features, prepared, judge);
      const highest = (map: ScoreMap): number => highestScore(inspectMap(map, prepared, NO_MARGINS));
      const found = { probability: highest(heat), distance: highest(distances) };
      (image.sample.good ? evidence.good : evidence.defect).push(found);
    }
    await judge.scorer.dispose();
    await judge.finder.dispose();
  }
  return evidence;
}

/** Limits that put 1 between held-out good and NG images, and the scores on that scale. */
export function setLimits({ good, defect }: Evidence, falseAlarmRate: number) {
  const probabilities = (images: readonly Strongest[]): number[] => images.map(({ probability }) => probability);
  const between = supervisedThreshold(probabilities(good), probabilities(defect), LIKELY);
  const limits: Limits = {
    probability: Math.min(HIGHEST, Math.max(LOWEST, between)),
    distance: conformalThreshold(
      good.map(({ distance }) => distance),
      falseAlarmRate,
    ),
  };
  const score = ({ probability, distance }: Strongest): number =>
    Math.max(probability / limits.probability, distance / limits.distance);
  const calibration: Calibration = { rawThreshold: 1, goodScores: good.map(score), defectScores: defect.map(score) };
  return { limits, calibration };
}
