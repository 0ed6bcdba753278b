import { inspectedCells, inspectionOf, NO_MARGINS } from '../anomaly-map/inspected-map.ts';
import { type MapScorer, scoreImage } from '../anomaly-map/map-scorer.ts';
import type { PatchFeatures } from '../backbone/patch-extractor.ts';
import { say } from '../engine-messages.ts';
import { type UnusableImage, unusableImage } from '../image/unusable-image.ts';
import { stackRows, takeRows } from '../math/matrix.ts';
import { sampleIndices } from '../math/random.ts';
import { collectGarbage } from '../onnx/collect-garbage.ts';
import { AHEAD, prefetch } from '../onnx/prefetch.ts';
import type { ImageFrame, Random, TrainingSample } from '../types.ts';
import { throwIfCancelled, VisionError } from '../vision-error.ts';
import { type AugmentedCopy, augmentImage } from './augmentation.ts';
import { FEATURES, type FitInput, goodSamples, LEARNING } from './fit-input.ts';
import { openOutlierScorer } from './outliers.ts';
import { packFeatures, type TrainingPatches } from './training-patches.ts';
import type { Training } from './with-training.ts';

export interface ExtractionOptions {
  /** Candidates over all images together: bounds time and memory. */
  readonly candidates: number;
  /** Learned beside each image. */
  readonly copies: readonly AugmentedCopy[];
  /** Bytes of feature maps to keep; lower in tests. */
  readonly featureMapBytes?: number;
}

export type ExtractionTraining = FitInput & Pick<Training, 'extractor' | 'product' | 'smoothing' | 'dropOutliers'>;

/** Bytes of feature maps that are kept for held-out scores: bounds the memory of a training on many images. */
export const FEATURE_MAP_BYTES = 52 * 1024 * 1024;
/** Bytes of feature maps that are prefetched; at least one image is always prefetched. */
const AHEAD_BYTES = 16 * 1024 * 1024;
const FEWEST_CANDIDATES = 4;
/** Garbage is collected after so many images. It takes a hundredth of their time. */
const COLLECTED_IMAGES = 32;

/** Rows of inspected cells, `quota` of them at most. */
function chooseCandidates(features: PatchFeatures, frame: ImageFrame | undefined, quota: number, random: Random) {
  const { rows, columns, patches } = features;
  if (!frame?.inspected) return takeRows(patches, sampleIndices(patches.rows, quota, random));
  const cells = inspectedCells(rows, columns, frame, NO_MARGINS);
  const inspected = Uint32Array.from(cells.keys()).filter((cell) => cells[cell] === 1);
  const chosen = sampleIndices(inspected.length, quota, random).map((index) => inspected[index] ?? 0);
  return takeRows(patches, chosen);
}

/** Which images keep their feature maps: as many as there is room for, drawn at random. The first is always one. */
function chooseKept(count: number, room: number, random: Random): Uint32Array {
  if (room >= count) return Uint32Array.from({ length: count }, (_, index) => index);
  const others = sampleIndices(count - 1, Math.max(2, room) - 1, random).map((index) => index + 1);
  return Uint32Array.of(0, ...others);
}

/** Features of an image and of its copies. The pixels are left behind: they take more memory than all else. */
async function extractOne(
  sample: TrainingSample,
  { extractor, signal }: ExtractionTraining,
  options: ExtractionOptions,
) {
  throwIfCancelled(signal);
  const prepared = await sample.load();
  const features = await extractor.extract(prepared.image);
  const copies: PatchFeatures[] = [];
  // With an ignored area there are no copies: the area would have to be turned with them.
  for (const copy of prepared.inspected ? [] : options.copies) {
    throwIfCancelled(signal);
    copies.push(await extractor.extract(augmentImage(prepared.image, copy)));
  }
  const { image, ...rest } = prepared;
  const frame = { ...rest, image: { width: image.width, height: image.height } };
  return { sample, unusable: unusableImage(image, prepared.inspected), frame, features, copies };
}

/**
 * Runs the network once over every sample. Memory is bounded by the candidates and by {@link FEATURE_MAP_BYTES}: an
 * image beyond it is scored for outliers as soon as it is extracted, by a small bank of the images that keep theirs.
 * @returns in the order of the samples
 * @throws VisionError `cancelled`, and what the samples' `load` throws
 */
export async function extractTrainingPatches(
  samples: readonly TrainingSample[],
  training: ExtractionTraining,
  options: ExtractionOptions,
): Promise<TrainingPatches[]> {
  const { signal, random, report } = training;
  const { featureMapBytes = FEATURE_MAP_BYTES } = options;
  const variants = 1 + options.copies.length;
  const quota = Math.max(FEWEST_CANDIDATES, Math.floor(options.candidates / (samples.length * variants)));
  const results = new Map<TrainingSample, TrainingPatches>();
  let scorer: MapScorer | undefined;

  /** Takes what is kept of an image. @param kept images by which it is scored; undefined: it keeps its feature map */
  async function reduce(
    { sample, unusable, frame, features, copies }: Awaited<ReturnType<typeof extractOne>>,
    kept?: readonly TrainingPatches[],
  ): Promise<TrainingPatches> {
    const own = chooseCandidates(features, frame, quota, random);
    const others = copies.map((copy) => chooseCandidates(copy, undefined, quota, random));
    const image = { sample, unusable, candidates: stackRows([own, ...others]) };
    const inspection = inspectionOf(features, frame);
    if (!kept) return { ...image, featureMap: packFeatures(features), inspection };
    if (!training.dropOutliers) return image;
    scorer ??= await openOutlierScorer(kept, training);
    return { ...image, outlierScore: await scoreImage({ features, inspection }, scorer) };
  }

  async function extractSome(
    some: readonly TrainingSample[],
    ahead: number,
    kept?: readonly TrainingPatches[],
  ): Promise<void> {
    for await (const extracted of prefetch(some, (sample) => extractOne(sample, training, options), ahead)) {
      throwIfCancelled(signal);
      results.set(extracted.sample, await reduce(extracted, kept));
      if (results.size % COLLECTED_IMAGES === 0) collectGarbage();
      const fraction = FEATURES + (LEARNING - FEATURES) * (results.size / samples.length);
      report({ fraction, doing: say('progress.features', { done: results.size, total: samples.length }) });
    }
  }

  try {
    await extractSome(samples.slice(0, 1), 0);
    const [first] = results.values();
    if (!first?.featureMap) return [];
    const { length, byteLength } = first.featureMap.steps;
    const perImage = length * Float32Array.BYTES_PER_ELEMENT * variants;
    const ahead = Math.min(AHEAD, Math.max(1, Math.floor(AHEAD_BYTES / perImage)));
    const kept = new Set(chooseKept(samples.length, Math.ceil(featureMapBytes / byteLength) - 1, random));
    await extractSome(
      samples.filter((_, index) => index > 0 && kept.has(index)),
      ahead,
    );
    const others = samples.filter((_, index) => !kept.has(index));
    await extractSome(others, ahead, [...results.values()]);
    return samples.flatMap((sample) => results.get(sample) ?? []);
  } finally {
    await scorer?.dispose();
  }
}

const UNUSABLE = {
  too_small: 'training.image-too-small',
  too_narrow: 'training.image-too-narrow',
  no_contrast: 'training.image-no-contrast',
} as const satisfies Record<UnusableImage, string>;

/**
 * The good samples' patches. @throws VisionError `too_few_images` without a good image, `invalid_value` where nothing
 * is inspected or no image can be learned from, `cancelled`, and what the samples' `load` throws
 */
export async function extractGoodImages(
  training: ExtractionTraining,
  options: ExtractionOptions,
): Promise<TrainingPatches[]> {
  const images = await extractTrainingPatches(goodSamples(training), training, options);
  // What comes next takes as much memory as the network, which few trainings need again.
  await training.extractor.rest();
  collectGarbage();
  if (!images.some((image) => image.candidates.rows > 0))
    throw new VisionError('invalid_value', say('training.nothing-inspected'));
  const [first] = images;
  if (first?.unusable && images.every(({ unusable }) => unusable)) {
    const reason = say(UNUSABLE[first.unusable], { name: first.sample.name });
    throw new VisionError('invalid_value', say('training.nothing-to-learn', { images: images.length, reason }));
  }
  return images;
}
