import { inspectedScore } from '../anomaly-map/inspected-map.ts';
import type { MapScorer } from '../anomaly-map/map-scorer.ts';
import { gaussianBlur } from '../math/gaussian-blur.ts';
import { takeRows } from '../math/matrix.ts';
import { median, robustDeviation } from '../math/quantile.ts';
import {
  type BankScoring,
  type OwnedBank,
  openBankScorer,
  openMemorySearch,
} from '../memory-bank/open-memory-search.ts';
import { prefetch } from '../onnx/prefetch.ts';
import type { NamedSample, ScoreMap } from '../types.ts';
import { throwIfCancelled } from '../vision-error.ts';
import type { FitInput } from './fit-input.ts';
import { learnBank } from './learn-bank.ts';
import { type GoodImages, type TrainingPatches, unpackFeatures } from './training-patches.ts';
import type { Training } from './with-training.ts';

/** Patches of an image from which its mean distance is taken. */
const TYPICAL = 64;

/**
 * Scores each image by the members of other items: leave-one-out without learning the bank anew.
 * @returns `scores`: raw ones, NaN for an image whose feature map was not kept, or where no member remains, [images];
 * `maps`: where the scores are from, undefined without a score, [images]; `means`: mean distances of candidates, which tell how strange an image is as a whole and not at one place, [images]
 * @throws VisionError `cancelled`
 */
export async function scoreLeaveOneOut(
  images: readonly TrainingPatches[],
  owned: OwnedBank,
  { neighbours, smoothing, threads }: BankScoring,
  signal: AbortSignal,
) {
  const members = owned.bank.rows;
  const search = await openMemorySearch(owned, neighbours, threads);
  const scoreOne = async ({ sample, candidates, featureMap, inspection }: TrainingPatches) => {
    throwIfCancelled(signal);
    const own = [...owned.owners.keys()].filter((member) => owned.owners[member] === sample.itemId);
    if (members - own.length < Math.min(neighbours, members)) return { score: Number.NaN, mean: Number.NaN };
    let score = Number.NaN;
    let map: ScoreMap | undefined;
    if (featureMap) {
      const features = unpackFeatures(featureMap);
      const { rows, columns } = features;
      const data = await search.distances(features, own);
      map = gaussianBlur({ rows, columns, data }, smoothing);
      score = inspectedScore(map, inspection);
    }
    const count = Math.min(TYPICAL, candidates.rows);
    if (count === 0) return { score, map, mean: Number.NaN };
    const typical = Uint32Array.from({ length: count }, (_, row) => Math.floor((row * candidates.rows) / count));
    const distances = await search.patchDistances(takeRows(candidates, typical), own);
    return { score, map, mean: distances.reduce((sum, distance) => sum + distance, 0) / count };
  };
  const scores: number[] = [];
  const maps: (ScoreMap | undefined)[] = [];
  const means: number[] = [];
  try {
    for await (const { score, map, mean } of prefetch(images, scoreOne)) {
      scores.push(score);
      maps.push(map);
      means.push(mean);
    }
    return { scores, maps, means };
  } finally {
    await search.dispose();
  }
}

/** Robust deviations of the logarithm above the median, and the least ratio to it. */
const OUTLIER = { deviations: 6, ratio: 1.6 };
/** Where defects among good images begin; one good image in thirty lies as far. */
const DOUBTFUL = { deviations: 2, ratio: 1.3 };
/** For mean distances, which vary less than the highest; one good image in a hundred lies as far. */
const STRANGE = { deviations: 2.5, ratio: 1.1 };
/** A product of two kinds must not be cut in half. */
const LARGEST_SHARE = 0.2;
const FEWEST = 6;
type OutlierTraining = FitInput & Pick<Training, 'product' | 'smoothing'>;

/** Members of the bank by which outliers are found where the algorithm has none of its own. */
const OUTLIER_BANK = { size: 1000, neighbours: 1, weighted: false, searched: false };

/** Indices of the scores whose logarithm lies beyond `from` and not beyond `to`, worst first; NaN is no score. */
function beyond(all: readonly number[], from: typeof OUTLIER, to?: typeof OUTLIER): number[] {
  const known = [...all.keys()].filter((index) => !Number.isNaN(all[index]));
  if (known.length < FEWEST) return [];
  const logs = known.map((index) => Math.log(Math.max(all[index]!, 1e-12)));
  const middle = median(logs);
  const deviation = robustDeviation(logs);
  const limitOf = ({ deviations, ratio }: typeof OUTLIER) => middle + Math.max(deviations * deviation, Math.log(ratio));
  const least = limitOf(from);
  const most = to ? limitOf(to) : Number.POSITIVE_INFINITY;
  return [...logs.keys()]
    .filter((position) => logs[position]! > least && logs[position]! <= most)
    .sort((a, b) => logs[b]! - logs[a]!)
    .slice(0, Math.floor(LARGEST_SHARE * logs.length))
    .map((position) => known[position]!);
}

/** Indices of images whose score lies far above the others'. */
export const findOutliers = (scores: readonly number[]): number[] => beyond(scores, OUTLIER);

/** Indices of images whose score lies above most others', but not as far as an outlier's. */
export const findDoubtful = (scores: readonly number[]): number[] => beyond(scores, DOUBTFUL, OUTLIER);

/** Indices of images that are stranger than the others as a whole, by their mean distance. They are never outliers. */
export const findStrange = (means: readonly number[]): number[] => beyond(means, STRANGE);

/**
 * The images without outliers and without those from which nothing can be learned. Images without a feature map were
 * scored while they were extracted, by another bank, and are compared with one another.
 */
export function dropOutliers(
  images: readonly TrainingPatches[],
  { scores, means }: Pick<Awaited<ReturnType<typeof scoreLeaveOneOut>>, 'scores' | 'means'>,
): GoodImages {
  const early = images.map(({ outlierScore }) => outlierScore ?? Number.NaN);
  const unusable = [...images.keys()].filter((index) => images[index]?.unusable);
  const outliers = new Set([...unusable, ...findOutliers(scores), ...findOutliers(early)]);
  const doubtful = new Set([...findDoubtful(scores), ...findDoubtful(early), ...findStrange(means)]);
  const named = (index: number): NamedSample => {
    const { name, itemId } = images[index]!.sample;
    return { name, itemId };
  };
  return {
    kept: images.filter((_, index) => !outliers.has(index)),
    outliers: Array.from(outliers, named),
    doubtful: [...doubtful].filter((index) => !outliers.has(index)).map(named),
  };
}

export const keepAll = (kept: readonly TrainingPatches[]): GoodImages => ({ kept, outliers: [], doubtful: [] });

/** Scores images other than the given ones, by a small coreset of these. */
export async function openOutlierScorer(
  images: readonly TrainingPatches[],
  training: OutlierTraining,
): Promise<MapScorer> {
  const bank = await learnBank(images, OUTLIER_BANK, training);
  return openBankScorer(bank, { neighbours: 1, smoothing: training.smoothing, threads: training.threads });
}

/** Leave-one-out scores by a coreset of all images, for algorithms without a bank. @throws VisionError `cancelled` */
export async function scoreOutliers(images: readonly TrainingPatches[], training: OutlierTraining) {
  const scoring = { neighbours: 1, smoothing: training.smoothing, threads: training.threads };
  return scoreLeaveOneOut(images, await learnBank(images, OUTLIER_BANK, training), scoring, training.signal);
}
