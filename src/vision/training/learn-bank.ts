import { inspectedScore } from '../anomaly-map/inspected-map.ts';
import { type MapScorer, multiplyMap } from '../anomaly-map/map-scorer.ts';
import type { PatchFeatures } from '../backbone/patch-extractor.ts';
import { say } from '../engine-messages.ts';
import { joinRows } from '../math/matrix.ts';
import { memberWeights } from '../memory-bank/member-weights.ts';
import { chooseSearch, type MemberSources, type OwnedBank, openBankScorer } from '../memory-bank/open-memory-search.ts';
import { type CoresetOptions, selectCoreset } from '../memory-bank/select-coreset.ts';
import { itemScores } from './calibrate.ts';
import { type FitInput, OUTLIERS, SCORING } from './fit-input.ts';
import { scoreByFolds } from './learn-by-folds.ts';
import { dropOutliers, keepAll, scoreLeaveOneOut } from './outliers.ts';
import { learnPlaceFactors } from './place-factors.ts';
import { type GoodImages, type TrainingPatches, unpackFeatures } from './training-patches.ts';
import type { Training } from './with-training.ts';

interface BankOptions {
  /** Members at most; 0: as many as the variety of the images needs. */
  readonly size: number;
  readonly neighbours: number;
  /** Whether distances are weighted by how much good products vary around each member. */
  readonly weighted: boolean;
  /** Whether the bank may be searched approximately. */
  readonly searched: boolean;
}

const PROJECTED_DIMS = 64;
const SOME_PATCHES = 4096;

/** Features that vary in more ways take more members. Few images are covered less: what is rare may be a flaw. */
const sizeByVariety = (items: number): Pick<CoresetOptions, 'count' | 'enough'> => ({
  count: 16_000,
  enough: { least: 2000, share: 0.47 - 0.07 * Math.min(1, items / 500) },
});

/** Feature maps of the first images that have one, a few thousand patches. */
export function someFeatures(images: readonly Pick<TrainingPatches, 'featureMap'>[]): PatchFeatures[] {
  const features: PatchFeatures[] = [];
  let patches = 0;
  for (const { featureMap } of images) {
    if (patches >= SOME_PATCHES) break;
    if (!featureMap) continue;
    features.push(unpackFeatures(featureMap));
    patches += featureMap.rows * featureMap.columns;
  }
  return features;
}

function sourcesOf(images: readonly TrainingPatches[], imageOf: Uint32Array): MemberSources | undefined {
  const contents = images.flatMap(({ sample }) => sample.content ?? []);
  return contents.length === images.length ? { images: contents, imageOf } : undefined;
}

/** The greedy coreset of the images' candidates, with the item of each member. @throws VisionError `cancelled` */
export async function learnBank(
  images: readonly TrainingPatches[],
  { size, neighbours, weighted, searched }: BankOptions,
  training: FitInput & Pick<Training, 'product'>,
): Promise<OwnedBank> {
  const { random, product, signal, threads } = training;
  const candidates = joinRows(images.map((image) => image.candidates));
  const imageOf = images.flatMap((image, index) => new Array<number>(image.candidates.rows).fill(index));
  const items = new Set(imageOf.map((index) => images[index]!.sample.itemId));
  const count = size === 0 ? sizeByVariety(items.size) : { count: size };
  const options = { ...count, projectedDims: PROJECTED_DIMS, random, product, signal, threads };
  const members = await selectCoreset(candidates, options);
  const plain = {
    bank: candidates.take(members),
    owners: Array.from(members, (member) => images[imageOf[member]!]!.sample.itemId),
    sources: sourcesOf(
      images,
      members.map((member) => imageOf[member]!),
    ),
  };
  if (!weighted) return plain;
  const bank = { ...plain, weights: await memberWeights(plain, threads) };
  return searched ? { ...bank, ...(await chooseSearch(bank, neighbours, someFeatures(images), threads)) } : bank;
}

export async function learnBankScorer(
  images: readonly TrainingPatches[],
  options: BankOptions,
  training: Training,
): Promise<MapScorer> {
  const { smoothing, threads } = training;
  const bank = await learnBank(images, options, training);
  return openBankScorer(bank, { neighbours: options.neighbours, smoothing, threads });
}

export interface ScoredBank extends GoodImages {
  readonly bank: OwnedBank;
  /** Raw scores of the items that were kept, each by the members of other items. */
  readonly goodScores: readonly number[];
}

/**
 * The memory bank of the good images without outliers, and each item's score by the members of other items.
 * @throws VisionError `cancelled`, and what the samples' `load` throws
 */
export async function learnScoredBank(
  images: readonly TrainingPatches[],
  options: BankOptions,
  training: Training,
): Promise<ScoredBank> {
  const { signal, report, smoothing, threads } = training;
  const { neighbours } = options;
  const scoring = { neighbours, smoothing, threads };
  const all = await learnBank(images, options, training);
  report({ fraction: OUTLIERS, doing: say('progress.outliers') });
  const leaveOneOut = await scoreLeaveOneOut(images, all, scoring, signal);
  const good = training.dropOutliers ? dropOutliers(images, leaveOneOut) : keepAll(images);
  report({ fraction: SCORING, doing: say('progress.scoring') });
  const isWhole = good.outliers.length === 0;
  const bank = isWhole ? all : await learnBank(good.kept, options, training);
  const { scores, maps } = isWhole ? leaveOneOut : await scoreLeaveOneOut(good.kept, bank, scoring, signal);
  const itemIds = good.kept.map(({ sample }) => sample.itemId);
  if (itemScores(itemIds, scores).length > 0) {
    const placeFactors = learnPlaceFactors(
      maps.flatMap((map, index) => (map ? [{ itemId: itemIds[index]!, map }] : [])),
    );
    if (!placeFactors) return { ...good, bank, goodScores: itemScores(itemIds, scores) };
    const weighted = maps.map((map, index) =>
      map ? inspectedScore(multiplyMap(map, placeFactors), good.kept[index]?.inspection) : Number.NaN,
    );
    return { ...good, bank: { ...bank, placeFactors }, goodScores: itemScores(itemIds, weighted) };
  }
  // All members are of one item: it is the only one, or the others are copies of it.
  const learn = (others: readonly TrainingPatches[]) => learnBankScorer(others, options, training);
  const ofCopies = await scoreByFolds(good.kept, training, learn);
  const { otherItemScore = 0 } = training.backbone.description;
  return { ...good, bank, goodScores: ofCopies.map((score) => Math.max(score, otherItemScore)) };
}
