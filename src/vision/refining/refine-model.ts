import { type Algorithm, findAlgorithm } from '../algorithms/catalogue.ts';
import { highestScore, inspectMap, parseIgnoreOuter } from '../anomaly-map/inspected-map.ts';
import { type CorrectionPatches, joinCorrections, noCorrections } from '../corrections/correction-patches.ts';
import type { RefinableModel } from '../corrections/refinable-model.ts';
import { say } from '../engine-messages.ts';
import { findRegions, type RegionLimits } from '../inspection/find-regions.ts';
import type { VerdictOptions } from '../inspection/open-inspector.ts';
import type { Message } from '../message.ts';
import type { ModelFile } from '../model-file/model-file.ts';
import type { FitInput } from '../training/fit-input.ts';
import { rawScoreAt } from '../training/thresholds.ts';
import { projectStatistics, type TrainedModel } from '../training/train-model.ts';
import type { Predictor } from '../types.ts';
import { throwIfCancelled, VisionError } from '../vision-error.ts';
import { type FoundCorrections, findCorrections } from './find-corrections.ts';
import { groupByItem, levelDistances, type MeasuredImage, measureSample, type RefineSample } from './refine-sample.ts';
import { checkKnownImages, type KnownImage, stackPlaces, weighCorrections } from './weigh-corrections.ts';

/** A missed defect raises scores up to this many times the threshold. */
const CEILING = 2;
/** Good images whose new scores replace the calibration's; with fewer the old scores stay. */
const FEWEST_SCORES = 20;
const MOST_NAMES = 5;

export interface RefineInput extends Pick<FitInput, 'backbone' | 'threads' | 'signal' | 'report'> {
  readonly model: ModelFile;
  readonly samples: readonly RefineSample[];
  readonly options: VerdictOptions;
}

export type RefinedModel = Omit<TrainedModel, 'outliers' | 'doubtful'>;

const cannotRefine = (detail: Message): VisionError => new VisionError('cannot_teach', detail);

/** The corrections with their weights: a ratio of exactly its factor raises a patch to the threshold. */
function toCorrectionPatches(
  { cleared, missed, suppressed }: FoundCorrections,
  factors: ReturnType<typeof weighCorrections>,
  rawLimit: number,
  hasClasses: boolean,
): CorrectionPatches {
  return joinCorrections(cleared, {
    ...noCorrections(cleared.good.columns),
    missed: stackPlaces(missed),
    missedWeights: factors.missed.map((factor) => factor / Math.sqrt(rawLimit)),
    missedLabels: missed.flatMap(({ patches, label }) =>
      new Array<number | null>(patches.rows).fill(hasClasses ? label : null),
    ),
    ceiling: missed.length > 0 ? CEILING * rawLimit : 0,
    suppressed: stackPlaces(suppressed),
    suppressedWeights: factors.suppressed,
  });
}

/** The known image's score by the refined model, in which only the missed defects can raise it. */
function scoreRefined({ cleared, missedRatios }: KnownImage, factors: Float32Array, rawLimit: number): number {
  const highest = missedRatios.reduce((most, ratio, patch) => Math.max(most, ratio / factors[patch]!), 0);
  return Math.max(cleared, Math.min(CEILING, highest * highest) * rawLimit);
}

/** @throws VisionError `cannot_teach` where a known item would lose its right verdict */
function refuseNewErrors(known: readonly KnownImage[], scores: readonly number[], rawLimit: number): void {
  for (const item of groupByItem(known.map((image, index) => ({ ...image, after: scores[index]! })))) {
    const { good, name } = item[0]!.sample;
    const wasNg = item.some(({ before }) => before >= rawLimit);
    const isNg = item.some(({ after }) => after >= rawLimit);
    if (good === wasNg || good !== isNg) continue;
    throw cannotRefine(say(good ? 'refine.good-would-fail' : 'refine.defect-would-pass', { name }));
  }
}

/** Predicts with the refined model. @throws VisionError `cannot_teach` where an item still gets the wrong verdict */
async function verifyCorrections(
  images: readonly MeasuredImage[],
  predictor: Predictor,
  limits: RegionLimits,
): Promise<void> {
  for (const item of groupByItem(images)) {
    let isNg = false;
    let highest = 0;
    for (const { sample } of item) {
      const prepared = await sample.load();
      const prediction = await predictor.predict(prepared);
      const inspected = inspectMap(prediction.map, prepared, limits.margins);
      highest = Math.max(highest, highestScore(inspected));
      isNg ||= findRegions(prediction, inspected, prepared, limits).found.length > 0;
    }
    const { good, name } = item[0]!.sample;
    if (isNg !== good) continue;
    if (good) throw cannotRefine(say('refine.still-ng', { name }));
    throw cannotRefine(say(highest >= limits.rawLimit ? 'refine.too-small' : 'refine.still-missed', { name }));
  }
}

type RefinedItems = Pick<FoundCorrections, 'clearedItems' | 'missedItems' | 'alreadyRight'>;

/** @param kept of the `known` images were checked, and none of them has a new error */
export function describeRefinement(found: RefinedItems, kept: number, known: number): Message[] {
  const { clearedItems, missedItems, alreadyRight } = found;
  const counts = { missed: missedItems.length, cleared: clearedItems.length, kept };
  const one = counts.cleared === 0 ? 'remark.corrected-missed' : 'remark.corrected-cleared';
  const remarks = [say(counts.missed > 0 && counts.cleared > 0 ? 'remark.corrected-both' : one, counts)];
  if (kept < known) remarks.push(say('remark.not-checked', { count: known - kept }));
  if (alreadyRight.length > 0) remarks.push(say('remark.right-already', { names: alreadyRight.slice(0, MOST_NAMES) }));
  return remarks;
}

async function refine(input: RefineInput, algorithm: Algorithm, opened: RefinableModel): Promise<RefinedModel> {
  const { options, signal, report, threads = 1 } = input;
  const { calibration } = input.model;
  const rawLimit = rawScoreAt(options.threshold, calibration.rawThreshold);
  if (!(rawLimit > 0 && Number.isFinite(rawLimit)))
    throw cannotRefine(say('refine.no-limit', { threshold: options.threshold }));
  const margins = parseIgnoreOuter(options.ignoreOuter);
  const refining = { model: opened, rawLimit, margins, threads, signal, report };

  const images: MeasuredImage[] = [];
  for (const sample of input.samples.filter(({ use }) => use === 'correction')) {
    throwIfCancelled(signal);
    report({ fraction: 0.05, doing: say('progress.item', { name: sample.name }) });
    images.push(await measureSample(sample, refining));
  }
  // Below its lowest threshold the model does not look at distances, so that a missed defect would not count.
  if (rawLimit < (opened.minThreshold ?? 0) && images.some(({ sample }) => !sample.good))
    throw cannotRefine(say('refine.low-limit', { threshold: options.threshold }));
  const found = await findCorrections(images, refining);
  if (found.clearedItems.length + found.missedItems.length === 0) throw cannotRefine(say('refine.nothing'));

  const knownSamples = input.samples.filter(({ use }) => use === 'known');
  const model = await levelDistances(opened, knownSamples, { calibration, threads, signal });
  const known = await checkKnownImages(knownSamples, found, { ...refining, model });
  const factors = weighCorrections(found, known);
  const scores = known.map((image) => scoreRefined(image, factors.missed, rawLimit));
  refuseNewErrors(known, scores, rawLimit);

  report({ fraction: 0.92, doing: say('progress.trying') });
  const hasClasses = algorithm.type !== 'anomaly_detection';
  const payload = model.encode(toCorrectionPatches(found, factors, rawLimit, hasClasses));
  const predictor = await algorithm.open(payload, input.backbone, input.model.params);
  const limits = { rawLimit, margins, minDetectedArea: options.minDetectedArea };
  await verifyCorrections(images, predictor, limits).finally(() => predictor.dispose());

  const goodScores = scores.filter((_, index) => known[index]!.sample.good);
  const isEnough = goodScores.length > 0 && goodScores.length >= Math.min(FEWEST_SCORES, calibration.goodScores.length);
  const refined = isEnough && !model.keepsCalibration ? { ...calibration, goodScores } : calibration;
  return {
    ...input.model,
    payload,
    calibration: refined,
    statistics: projectStatistics(refined),
    remarks: describeRefinement(found, known.length, knownSamples.length),
  };
}

/**
 * Refines a trained model by corrected items, without a training: patches of false alarms join the good patches;
 * patches of missed defects raise each patch that is nearer to them than to all good ones. The threshold stays.
 * @throws VisionError `cannot_teach` with the reason, `cancelled`, and what the samples' `load` throws
 */
export async function refineModel(input: RefineInput): Promise<RefinedModel> {
  const { model: file, backbone, threads } = input;
  const algorithm = findAlgorithm(file.algorithmId);
  if (!algorithm) throw cannotRefine(say('refine.no-algorithm', { algorithm: file.algorithmId }));
  const model = await algorithm.openRefinable(file.payload, backbone, threads);
  try {
    return await refine(input, algorithm, model);
  } finally {
    await model.dispose();
  }
}
