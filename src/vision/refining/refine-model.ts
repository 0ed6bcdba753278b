import { findAlgorithm } from '../algorithms/catalogue.ts';
import type { Algorithm } from '../algorithms/contract/algorithm.ts';
import { highestScore, inspectMap } from '../anomaly-map/inspected-map.ts';
import { parseIgnoreOuter } from '../anomaly-map/parse-ignore-outer.ts';
import { type CorrectionPatches, joinCorrections, noCorrections } from '../corrections/correction-patches.ts';
import type { RefinableModel } from '../corrections/refinable-model.ts';
import { foundRegions, type RegionLimits } from '../inspection/found-regions.ts';
import type { InspectOptions } from '../inspection/open-inspector.ts';
import { stackRows } from '../math/matrix.ts';
import type { ModelFile } from '../model-file/model-file.ts';
import { rawScoreAt } from '../training/anomaly-score.ts';
import type { FitProgress } from '../training/fit-input.ts';
import { type ProjectedStatistics, projectStatistics } from '../training/train-model.ts';
import type { BackboneFile, Predictor } from '../types.ts';
import { throwIfCancelled, VisionError } from '../vision-error.ts';
import { findLessons, type Lessons } from './find-spots.ts';
import { groupByItem, type JudgedImage, type JudgedSample, judgeSample } from './judged-sample.ts';
import { levelDistances } from './level-distances.ts';
import { checkKnown, type KnownImage, refuseContradictions, refuseSilencing, weighPatches } from './weigh-spots.ts';

/** A taught defect is raised up to so many times the limit. */
const CEILING = 2;
/** Re-scored good images from which the calibration is taken anew; with fewer the old scores stay. */
const FEWEST_SCORES = 20;

export interface RefineInput {
  readonly model: ModelFile;
  readonly backbone: BackboneFile;
  readonly samples: readonly JudgedSample[];
  /** The parameters by which the model's verdicts are made. */
  readonly options: Omit<InspectOptions, 'heatmap'>;
  readonly threads?: number;
  readonly signal: AbortSignal;
  report(progress: FitProgress): void;
}

export interface RefinedModel extends ModelFile {
  readonly statistics: ProjectedStatistics;
  readonly remarks: readonly string[];
}

const cannotTeach = (text: string): VisionError => new VisionError('cannot_teach', text);

function getAlgorithm({ algorithmId }: ModelFile): Algorithm {
  const algorithm = findAlgorithm(algorithmId);
  if (algorithm) return algorithm;
  throw cannotTeach(
    `This release has no algorithm ${algorithmId}, so its models cannot be taught. Train another one with the items among its training items.`,
  );
}

function limitOf({ model, options }: RefineInput): number {
  const limit = rawScoreAt(options.threshold, model.calibration.rawThreshold);
  if (limit > 0 && Number.isFinite(limit)) return limit;
  throw cannotTeach(
    `The model's threshold is ${options.threshold}: every product gets the same verdict. Set it between 0 and 1 first.`,
  );
}

/** @throws VisionError `cannot_teach` where a missed defect would count for nothing, however strange it looks */
function refuseLowLimit(
  images: readonly JudgedImage[],
  { minThreshold = 0 }: RefinableModel,
  rawLimit: number,
  threshold: number,
): void {
  if (rawLimit >= minThreshold || images.every(({ sample }) => sample.good)) return;
  throw cannotTeach(
    `The model's threshold is ${threshold}, and below 0.5 it finds known classes only: a missed defect cannot be taught. Set it to 0.5 or higher first.`,
  );
}

interface Weights {
  readonly missed: Float32Array;
  readonly hushed: Float32Array;
  readonly rawLimit: number;
  /** Whether the model tells classes apart. */
  readonly named: boolean;
}

/** All that is taught with its weights: at a likeness of exactly its factor a missed patch reaches the limit. */
function rememberLessons({ taught: cleared, spots, hushes }: Lessons, weights: Weights): CorrectionPatches {
  const { missed, hushed, rawLimit, named } = weights;
  const nothing = noCorrections(cleared.good.columns);
  const stacked = (list: Lessons['hushes']) =>
    list.length > 0 ? stackRows(list.map(({ patches }) => patches)) : nothing.missed;
  return joinCorrections(cleared, {
    ...nothing,
    missed: stacked(spots),
    missedWeights: missed.map((factor) => factor / Math.sqrt(rawLimit)),
    missedLabels: spots.flatMap(({ patches, kind }) =>
      new Array<number | null>(patches.rows).fill(named ? kind : null),
    ),
    ceiling: spots.length > 0 ? CEILING * rawLimit : 0,
    suppressed: stacked(hushes),
    suppressedWeights: hushed,
  });
}

/** The known image's score by the refined model, in which nothing but likeness to what was missed can raise it. */
function refinedScore({ cleared, alike }: KnownImage, factors: Float32Array, rawLimit: number): number {
  const likeness = alike.reduce((most, ratio, patch) => Math.max(most, ratio / factors[patch]!), 0);
  return Math.max(cleared, Math.min(CEILING, likeness * likeness) * rawLimit);
}

/** @throws VisionError `cannot_teach` where an item that was judged rightly no longer would be */
function refuseNewErrors(known: readonly KnownImage[], scores: readonly number[], rawLimit: number): void {
  const scored = known.map((image, index) => ({ ...image, after: scores[index] ?? 0 }));
  for (const item of groupByItem(scored)) {
    const [before, after] = [Math.max(...item.map((one) => one.before)), Math.max(...item.map((one) => one.after))];
    const good = item[0]?.sample.good ?? true;
    if (good === before >= rawLimit || good !== after >= rawLimit) continue;
    const name = item[0]?.sample.name ?? '';
    throw cannotTeach(
      good
        ? `Then "${name}", a good item that passes now, would be called NG. Nothing was changed: teach fewer items, or draw tighter rectangles.`
        : `Then "${name}", a defect that is found now, would pass. Nothing was changed: the false alarms look like it. Teach the others without them.`,
    );
  }
}

/** Verdicts of the refined model itself. @throws VisionError `cannot_teach` where one is still not the person's */
async function refuseUntaught(
  images: readonly JudgedImage[],
  predictor: Predictor,
  limits: RegionLimits,
): Promise<void> {
  for (const item of groupByItem(images)) {
    let found = false;
    let highest = 0;
    for (const { sample } of item) {
      const prepared = await sample.load();
      const prediction = await predictor.predict(prepared);
      const inspected = inspectMap(prediction.map, prepared, limits.margins);
      highest = Math.max(highest, highestScore(inspected));
      found ||= foundRegions(prediction, inspected, prepared, limits).length > 0;
    }
    const [sample] = item.map((image) => image.sample);
    if (!sample || found !== sample.good) continue;
    if (sample.good)
      throw cannotTeach(`"${sample.name}" would still be called NG: it looks like a defect that was taught.`);
    const small = highest >= limits.rawLimit;
    throw cannotTeach(
      small
        ? `The defect of "${sample.name}" is found, but it is smaller than min_detected_area. Lower that first.`
        : `The defect of "${sample.name}" would still be missed: it looks like what was said to be good.`,
    );
  }
}

function describe({ clearedItems, missedItems, alreadyRight }: Lessons, known: number, of: number): string[] {
  const count = (items: readonly string[], one: string, many: string): string[] =>
    items.length === 0 ? [] : [`${items.length} ${items.length === 1 ? one : many}`];
  const parts = [
    ...count(missedItems, 'missed defect', 'missed defects'),
    ...count(clearedItems, 'false alarm', 'false alarms'),
  ];
  const right = alreadyRight.length === 0 ? [] : [`Judged rightly already: ${alreadyRight.slice(0, 5).join(', ')}.`];
  const kept = `${known}${known < of ? ` of ${of}` : ''} known images keep their verdicts.`;
  return [`Taught ${parts.join(' and ')}; ${kept}`, ...right];
}

async function teach(input: RefineInput, algorithm: Algorithm, opened: RefinableModel): Promise<RefinedModel> {
  const { options, signal, report, threads = 1 } = input;
  const [rawLimit, margins] = [limitOf(input), parseIgnoreOuter(options.ignoreOuter)];
  const images: JudgedImage[] = [];
  for (const sample of input.samples.filter(({ use }) => use === 'teach')) {
    throwIfCancelled(signal);
    report({ fraction: 0.05, text: `looking at "${sample.name}"` });
    images.push(await judgeSample(sample, opened, margins));
  }
  refuseLowLimit(images, opened, rawLimit, options.threshold);
  const lessons = await findLessons(images, { model: opened, rawLimit, threads });
  const { taught: cleared, spots, hushes } = lessons;
  if (lessons.clearedItems.length + lessons.missedItems.length === 0)
    throw cannotTeach('There is nothing to learn: the model judges all of these items as you do.');
  const knownSamples = input.samples.filter(({ use }) => use === 'known');
  const { calibration: old } = input.model;
  const model = await levelDistances(opened, knownSamples, { calibration: old, threads, signal });
  const known = await checkKnown(knownSamples, {
    ...{ model, cleared, spots, hushes, rawLimit, margins, threads, signal },
    report: (done, total) =>
      report({ fraction: 0.2 + (0.7 * done) / total, text: `checking known images ${done}/${total}` }),
  });
  const harmed = known.filter(({ sample }) => sample.good).map(({ alike }) => alike);
  const missed = weighPatches(spots, harmed);
  refuseContradictions(spots, missed, known);
  const hushed = weighPatches(
    hushes,
    known.map(({ hushAlike }) => hushAlike),
  );
  refuseSilencing(hushes, known);
  const scores = known.map((image) => refinedScore(image, missed, rawLimit));
  refuseNewErrors(known, scores, rawLimit);
  report({ fraction: 0.92, text: 'trying the refined model on what it was taught' });
  const named = algorithm.type !== 'anomaly_detection';
  const payload = model.encode(rememberLessons(lessons, { missed, hushed, rawLimit, named }));
  const predictor = await algorithm.open(payload, input.backbone, input.model.params);
  const { minDetectedArea } = options;
  await refuseUntaught(images, predictor, { rawLimit, margins, minDetectedArea }).finally(() => predictor.dispose());
  const goodScores = scores.filter((_, index) => known[index]?.sample.good);
  const enough = goodScores.length >= Math.min(FEWEST_SCORES, old.goodScores.length) && goodScores.length > 0;
  const calibration = enough && !model.keepsCalibration ? { ...old, goodScores } : old;
  const statistics = projectStatistics(calibration);
  const remarks = describe(lessons, known.length, knownSamples.length);
  return { ...input.model, payload, calibration, statistics, remarks };
}

/**
 * Teaches a trained model single items without training it again: false alarms become good patches, missed defects
 * patches that raise what lies nearer to them than to all that is good. The threshold stays; the images that the model
 * knows are judged again, and where one of them would get a new error nothing is made.
 * @throws VisionError `cannot_teach` in words, `cancelled`, and what the samples' `load` throws
 */
export async function refineModel(input: RefineInput): Promise<RefinedModel> {
  const { model: file, backbone, threads } = input;
  const algorithm = getAlgorithm(file);
  const model = await algorithm.openRefinable(file.payload, backbone, threads);
  try {
    return await teach(input, algorithm, model);
  } finally {
    await model.dispose();
  }
}
