import type { MapScorer } from '../../anomaly-map/map-scorer.ts';
import type { InputLayout, Tiling } from '../../backbone/input-layout.ts';
import type { PatchExtractor } from '../../backbone/patch-extractor.ts';
import { noCorrections } from '../../corrections/correction-patches.ts';
import { say } from '../../engine-messages.ts';
import { openBankScorer } from '../../memory-bank/bank-measure.ts';
import type { MatrixProduct } from '../../onnx/open-matrix-product.ts';
import { rateRemarks } from '../../training/calibrate.ts';
import { unpackFeatures } from '../../training/feature-map-16.ts';
import { type FitInput, type FitResult, goodSamples } from '../../training/fit-input.ts';
import { learnBank } from '../../training/learn-bank.ts';
import { collectGoodImages } from '../../training/learn-by-folds.ts';
import { commonLayout, type PatchSource } from '../../training/open-patch-source.ts';
import { heldOutFolds, scoreByFolds } from '../../training/score-by-folds.ts';
import type { TrainingPatches } from '../../training/training-patches.ts';
import type { TrainingSample } from '../../types.ts';
import { throwIfCancelled, VisionError } from '../../vision-error.ts';
import { getNumber, getText } from '../contract/parameter-values.ts';
import { memoryOptions, withPatchSource } from '../supervised/memory-options.ts';
import { calibrate, type HeldOutImage, type HeldOutScores, type PartialDetector, scoreHeldOut } from './calibrate.ts';
import { collectCrops, fitLayout, labelsOf } from './collect-crops.ts';
import { openCellPredictor } from './detector-network.ts';
import { encodeDefectDetector } from './model.ts';
import { trainNetwork } from './train-network.ts';
import type { TrainingCrop } from './training-crops.ts';

const AXES = 128;
const CANDIDATES = 30_000;
/** The backbone, which looks for unknown anomalies only, sees the images at this part of the detector's size. */
const MEMORY_SCALE = 1 / 2;
const LEAST_MEMORY_SIZE = 64;
/** Networks that only set the limits get this part of the steps; there are at most so many of them. */
const [HELD_OUT_STEPS, HELD_OUT_FOLDS] = [1 / 3, 2];
/** Where the second half of the work begins, as fractions of the whole training. */
const [MEMORY, WINDOWS, EVIDENCE, NETWORK] = [0.2, 0.22, 0.28, 0.62];

interface Fitting {
  readonly input: FitInput;
  readonly extractor: PatchExtractor;
  learnScorer(images: readonly TrainingPatches[]): Promise<MapScorer>;
  /** Layout of the canvas that the detector's network sees. */
  readonly layout: InputLayout;
  readonly samples: readonly TrainingSample[];
  readonly crops: readonly TrainingCrop[];
}

const isDefect = ({ label }: TrainingCrop): boolean => label !== undefined;

type CountedProgress = 'progress.fold' | 'progress.windows' | 'progress.classes-counted';

/** A report of a part of the work, from one fraction of the whole to another. */
const within =
  ({ report }: FitInput, from: number, to: number, code: CountedProgress) =>
  (done: number, total: number): void =>
    report({ fraction: from + (to - from) * (done / total), doing: say(code, { done, total }) });

/** Fewer folds than usual: each takes a training. */
function fewFolds(samples: readonly TrainingSample[], { random }: FitInput): number[][] {
  const folds = heldOutFolds(
    samples.map(({ itemId }) => itemId),
    random,
  );
  const joined = Array.from({ length: Math.min(HELD_OUT_FOLDS, folds.length) }, (): number[] => []);
  folds.forEach((fold, index) => {
    joined[index % joined.length]?.push(...fold);
  });
  return joined;
}

/** Scores of held-out images; where there is nothing to hold out, distances alone. */
async function heldOutScoresOf(
  kept: readonly TrainingPatches[],
  { input, extractor, learnScorer, layout, samples, crops }: Fitting,
): Promise<HeldOutScores> {
  const featureMaps = new Map(kept.map(({ sample, featureMap }) => [sample, featureMap]));
  const images = samples.map(
    (sample): HeldOutImage => ({
      sample,
      async load() {
        throwIfCancelled(input.signal);
        const prepared = await sample.load();
        const known = featureMaps.get(sample);
        return { prepared, features: known ? unpackFeatures(known) : await extractor.extract(prepared.image) };
      },
    }),
  );
  const folds = fewFolds(samples, input);
  let fold = 0;
  const train = async (items: ReadonlySet<string>): Promise<PartialDetector | undefined> => {
    const part = (NETWORK - EVIDENCE) / folds.length;
    const from = EVIDENCE + part * fold++;
    const good = kept.filter(({ sample }) => items.has(sample.itemId));
    const seen = samples.filter(({ itemId }) => items.has(itemId));
    const labels = labelsOf(seen);
    const seenCrops = crops.filter(({ itemId }) => items.has(itemId));
    if (good.length === 0 || !seenCrops.some(isDefect)) return undefined;
    const report = within(input, from, from + part, 'progress.fold');
    const detector = await trainNetwork(seen, seenCrops, { input, layout, labels, share: HELD_OUT_STEPS, report });
    const scorer = await learnScorer(good);
    return { scorer, network: await openCellPredictor(detector, input.threads) };
  };
  const scores = await scoreHeldOut(images, folds, train);
  if (scores.good.length > 0) return scores;
  const distances = await scoreByFolds(kept, input, extractor, learnScorer);
  return { good: distances.map((distance) => ({ probability: 0, distance })), defect: [] };
}

async function fitWith(
  input: FitInput,
  source: PatchSource,
  product: MatrixProduct,
  all: readonly TrainingSample[],
): Promise<FitResult> {
  const { params, random, signal, report } = input;
  const { extractor } = source;
  const { smoothing, dropOutliers, falseAlarmRate, ...memory } = memoryOptions(input, { weighted: false });
  const { kept, leftOut, doubtful } = await collectGoodImages(
    { ...input, report: ({ fraction, doing }) => report({ fraction: fraction * MEMORY, doing }) },
    extractor,
    { candidates: CANDIDATES, rotations: false, flips: false, dropOutliers, smoothing },
  );
  report({ fraction: MEMORY, doing: say('progress.learning') });
  const { bank } = await learnBank(kept, memory.bank, input, product);
  const samples = [...kept.map(({ sample }) => sample), ...all.filter((sample) => !sample.good)];
  const tiling = getText(params, 'tiling') as Tiling;
  const usual = await commonLayout(all, input, { imageSize: getNumber(params, 'image_size'), tiling });
  const layout = await fitLayout(usual, samples, random);
  const collecting = within(input, WINDOWS, EVIDENCE, 'progress.windows');
  const crops = await collectCrops(samples, { layout, random, signal }, collecting);
  if (!crops.some(isDefect)) throw new VisionError('too_few_images', say('training.no-rectangle-left'));
  const learnScorer = async (images: readonly TrainingPatches[]) =>
    openBankScorer(await learnBank(images, memory.bank, input, product), memory.scoring);
  const fitting = { input, extractor, learnScorer, layout, samples, crops };
  const { limits, calibration } = calibrate(await heldOutScoresOf(kept, fitting), falseAlarmRate);
  const labels = labelsOf(samples);
  const learning = within(input, NETWORK, 1, 'progress.classes-counted');
  const detector = await trainNetwork(samples, crops, { input, layout, labels, share: 1, report: learning });
  const corrections = noCorrections(bank.columns);
  const state = { layout: source.layout, projection: source.projection, bank, smoothing, corrections };
  return {
    payload: encodeDefectDetector({ ...state, detector, labels, limits }),
    calibration,
    leftOut,
    doubtful,
    remarks: rateRemarks(kept, calibration.goodScores, falseAlarmRate),
  };
}

/**
 * A convolutional network trained on the annotated rectangles, and a memory of good patches for anomalies of no known
 * class.
 * @throws VisionError `too_few_images` without a good image and an annotated rectangle, `invalid_backbone`, `cancelled`
 */
export async function fitDefectDetector(input: FitInput): Promise<FitResult> {
  const good = goodSamples(input);
  const defects = input.samples.filter((sample) => !sample.good);
  if (!defects.some(({ regions }) => regions.length > 0))
    throw new VisionError('too_few_images', say('training.no-rectangle'));
  throwIfCancelled(input.signal);
  input.report({ fraction: 0, doing: say('progress.images') });
  const imageSize = Math.max(LEAST_MEMORY_SIZE, getNumber(input.params, 'image_size') * MEMORY_SCALE);
  const all = [...good, ...defects];
  return withPatchSource(all, input, { imageSize, axes: AXES }, (source, product) =>
    fitWith(input, source, product, all),
  );
}
