import type { MapScorer } from '../anomaly-map/map-scorer.ts';
import type { PatchExtractor } from '../backbone/patch-extractor.ts';
import { say } from '../engine-messages.ts';
import { calibrate, rateRemarks, scoreDefects } from './calibrate.ts';
import { type ExtractionOptions, extractGoodImages } from './extract-training-patches.ts';
import type { FitInput, FitResult } from './fit-input.ts';
import { dropOutliers, type GoodImages, keepAll, scoreOutliers } from './outliers.ts';
import { LEARNING, OUTLIERS, SCORING } from './progress.ts';
import { scoreByFolds } from './score-by-folds.ts';
import type { TrainingPatches } from './training-patches.ts';

export interface FoldLearner<State> {
  learn(images: readonly TrainingPatches[]): Promise<State>;
  openScorer(state: State): Promise<MapScorer>;
}

/**
 * The good samples' patches, without the outliers.
 * @throws VisionError `too_few_images` without a good image, `cancelled`, and what the samples' `load` throws
 */
export async function collectGoodImages(
  input: FitInput,
  extractor: PatchExtractor,
  options: ExtractionOptions,
): Promise<GoodImages> {
  const images = await extractGoodImages(input, extractor, options);
  input.report({ fraction: LEARNING, doing: say('progress.outliers') });
  if (!options.dropOutliers) return keepAll(images);
  return dropOutliers(images, await scoreOutliers(images, input, options.smoothing));
}

/**
 * Training of an algorithm that cannot forget one image: what it learned is learned anew for each fold to score the
 * images of that fold.
 * @throws VisionError `too_few_images` without a good image, `cancelled`, and what the samples' `load` throws
 */
export async function learnByFolds<State>(
  input: FitInput,
  extractor: PatchExtractor,
  options: ExtractionOptions & { readonly falseAlarmRate: number },
  { learn, openScorer }: FoldLearner<State>,
): Promise<Omit<FitResult, 'payload'> & { readonly state: State }> {
  const { report } = input;
  const { falseAlarmRate } = options;
  const { kept, leftOut, doubtful } = await collectGoodImages(input, extractor, options);
  report({ fraction: OUTLIERS, doing: say('progress.learning') });
  const state = await learn(kept);
  report({ fraction: SCORING, doing: say('progress.scoring') });
  const learnScorer = async (others: readonly TrainingPatches[]) => openScorer(await learn(others));
  const goodScores = await scoreByFolds(kept, input, extractor, learnScorer);
  const defectScores = await scoreDefects(input, extractor, () => openScorer(state));
  return {
    state,
    calibration: calibrate(goodScores, defectScores, falseAlarmRate),
    leftOut,
    doubtful,
    remarks: rateRemarks(kept, goodScores, falseAlarmRate),
  };
}
