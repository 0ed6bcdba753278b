import type { InputLayout, Tiling } from '../../backbone/input-layout.ts';
import { noCorrections } from '../../corrections/correction-patches.ts';
import type { OwnedBank } from '../../memory-bank/open-left-out-bank.ts';
import { smallSampleRemark } from '../../training/conformal-threshold.ts';
import type { FitInput, FitResult } from '../../training/fit-input.ts';
import { heldOutFolds } from '../../training/held-out-folds.ts';
import { patchesOf } from '../../training/kept-grid.ts';
import { learnOwnedBank } from '../../training/learn-bank.ts';
import { collectGoodImages, type GoodLearner, goodSamples, goodScoresOf } from '../../training/learn-good-images.ts';
import { commonLayout, type PatchSource } from '../../training/open-patch-source.ts';
import type { TrainingSample } from '../../types.ts';
import { throwIfCancelled, VisionError } from '../../vision-error.ts';
import { getNumber, getText } from '../contract/parameter-values.ts';
import { memoryLearner, withPatchSource } from '../supervised/memory-learner.ts';
import { calibrate, type HeldOutImage, type HeldOutScores, type PartialDetector, scoreHeldOut } from './calibrate.ts';
import { encodeDefectDetector } from './codec.ts';
import { collectCrops, fitLayout, labelsOf } from './collect-crops.ts';
import { openCellPredictor } from './detector-network.ts';
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
  readonly learner: GoodLearner<OwnedBank>;
  /** Layout of the canvas that the detector's network sees. */
  readonly layout: InputLayout;
  readonly samples: readonly TrainingSample[];
  readonly crops: readonly TrainingCrop[];
}

const isDefect = ({ label }: TrainingCrop): boolean => label !== undefined;

/** A report of a part of the work, from one fraction of the whole to another. */
const within =
  ({ report }: FitInput, from: number, to: number, text: string) =>
  (done: number, total: number): void =>
    report({ fraction: from + (to - from) * (done / total), text: `${text} ${done}/${total}` });

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
  kept: Parameters<GoodLearner<OwnedBank>['learn']>[0],
  { input, learner, layout, samples, crops }: Fitting,
): Promise<HeldOutScores> {
  const grids = new Map(kept.map(({ sample, grid }) => [sample, grid]));
  const images = samples.map(
    (sample): HeldOutImage => ({
      sample,
      async load() {
        throwIfCancelled(input.signal);
        const prepared = await sample.load();
        const grid = grids.get(sample);
        return { prepared, features: grid ? patchesOf(grid) : await learner.extractor.extract(prepared.image) };
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
    const report = within(input, from, from + part, 'learning from a part of the images');
    const detector = await trainNetwork(seen, seenCrops, { input, layout, labels, share: HELD_OUT_STEPS, report });
    const scorer = await learner.openScorer(await learner.learn(good));
    return { scorer, network: await openCellPredictor(detector, input.threads) };
  };
  const scores = await scoreHeldOut(images, folds, train);
  if (scores.good.length > 0) return scores;
  const distances = await goodScoresOf(kept, input, learner);
  return { good: distances.map((distance) => ({ probability: 0, distance })), defect: [] };
}

async function fitWith(
  input: FitInput,
  learner: GoodLearner<OwnedBank>,
  source: PatchSource,
  all: readonly TrainingSample[],
): Promise<FitResult> {
  const { params, random, signal, report } = input;
  const { kept, leftOut, doubtful } = await collectGoodImages(
    { ...input, report: ({ fraction, text }) => report({ fraction: fraction * MEMORY, text }) },
    learner,
  );
  report({ fraction: MEMORY, text: 'learning what good looks like' });
  const { bank } = await learner.learn(kept);
  const samples = [...kept.map(({ sample }) => sample), ...all.filter((sample) => !sample.good)];
  const tiling = getText(params, 'tiling') as Tiling;
  const usual = await commonLayout(all, input, { imageSize: getNumber(params, 'image_size'), tiling });
  const layout = await fitLayout(usual, samples, random);
  const collecting = within(input, WINDOWS, EVIDENCE, 'looking at defects');
  const crops = await collectCrops(samples, { layout, random, signal }, collecting);
  if (!crops.some(isDefect))
    throw new VisionError(
      'too_few_images',
      'No rectangle of a defect lies in what the preprocessing steps leave of the images. Crop less, or annotate others.',
    );
  const fitting = { input, learner, layout, samples, crops };
  const { limits, calibration } = calibrate(await heldOutScoresOf(kept, fitting), learner.falseAlarmRate);
  const labels = labelsOf(samples);
  const learning = within(input, NETWORK, 1, 'learning the classes');
  const detector = await trainNetwork(samples, crops, { input, layout, labels, share: 1, report: learning });
  const { smoothing, falseAlarmRate } = learner;
  const remark = smallSampleRemark(new Set(kept.map(({ sample }) => sample.itemId)).size, falseAlarmRate);
  const corrections = noCorrections(bank.columns);
  const memory = { layout: source.layout, projection: source.projection, bank, smoothing, corrections };
  return {
    payload: encodeDefectDetector({ ...memory, detector, labels, limits }),
    calibration,
    leftOut,
    doubtful,
    remarks: remark ? [remark] : [],
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
    throw new VisionError(
      'too_few_images',
      'No defect has a rectangle to learn from; annotate some, or use patchcore.',
    );
  throwIfCancelled(input.signal);
  input.report({ fraction: 0, text: 'looking at the images' });
  const imageSize = Math.max(LEAST_MEMORY_SIZE, getNumber(input.params, 'image_size') * MEMORY_SCALE);
  const all = [...good, ...defects];
  return withPatchSource(all, input, { imageSize, axes: AXES }, (source, product) =>
    fitWith(
      input,
      memoryLearner(input, source.extractor, product, {
        candidates: CANDIDATES,
        rotations: false,
        learnBank: learnOwnedBank,
      }),
      source,
      all,
    ),
  );
}
