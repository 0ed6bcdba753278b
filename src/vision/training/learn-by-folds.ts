import type { MapScorer } from '../anomaly-map/map-scorer.ts';
import { say } from '../engine-messages.ts';
import { calibrate, describeTraining, scoreDefects } from './calibrate.ts';
import { type ExtractionOptions, extractGoodImages } from './extract-training-patches.ts';
import type { FitResult } from './fit-input.ts';
import { dropOutliers, keepAll, scoreOutliers } from './outliers.ts';
import { LEARNING, OUTLIERS, SCORING } from './progress.ts';
import { scoreByFolds } from './score-by-folds.ts';
import type { GoodImages, TrainingPatches } from './training-patches.ts';
import type { Training } from './with-training.ts';

export interface FoldLearner<State> {
  learn(images: readonly TrainingPatches[]): Promise<State>;
  openScorer(state: State): Promise<MapScorer>;
}

/**
 * The good samples' patches, without the outliers.
 * @throws VisionError `too_few_images` without a good image, `cancelled`, and what the samples' `load` throws
 */
export async function collectGoodImages(training: Training, options: ExtractionOptions): Promise<GoodImages> {
  const images = await extractGoodImages(training, options);
  training.report({ fraction: LEARNING, doing: say('progress.outliers') });
  if (!training.dropOutliers) return keepAll(images);
  return dropOutliers(images, await scoreOutliers(images, training));
}

/**
 * Training of an algorithm that cannot forget one image: what it learned is learned anew for each fold to score the
 * images of that fold.
 * @throws VisionError `too_few_images` without a good image, `cancelled`, and what the samples' `load` throws
 */
export async function learnByFolds<State>(
  training: Training,
  options: ExtractionOptions,
  { learn, openScorer }: FoldLearner<State>,
): Promise<Omit<FitResult, 'payload'> & { readonly state: State }> {
  const { report, falseAlarmRate } = training;
  const good = await collectGoodImages(training, options);
  report({ fraction: OUTLIERS, doing: say('progress.learning') });
  const state = await learn(good.kept);
  report({ fraction: SCORING, doing: say('progress.scoring') });
  const learnScorer = async (others: readonly TrainingPatches[]) => openScorer(await learn(others));
  const goodScores = await scoreByFolds(good.kept, training, learnScorer);
  const defectScores = await scoreDefects(training, () => openScorer(state));
  const calibration = calibrate(goodScores, defectScores, falseAlarmRate);
  return { state, ...describeTraining(good, calibration, falseAlarmRate) };
}
