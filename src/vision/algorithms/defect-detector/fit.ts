import { learnBank, openBankScorer } from '../../components/bank-scorer.ts';
import {
  collectGoodImages,
  type GoodImages,
  type GoodLearner,
  goodSamples,
  goodScoresOf,
} from '../../components/learn-good-images.ts';
import { openPatchSource, type PatchSource } from '../../components/open-patch-source.ts';
import { openPatchNetwork } from '../../components/patch-network.ts';
import type { Tiling } from '../../features/input-layout.ts';
import { type Matrix, type MatrixProduct, openMatrixProduct } from '../../onnx/open-matrix-product.ts';
import { smallSampleRemark } from '../../thresholds/conformal-threshold.ts';
import { heldOutFolds } from '../../thresholds/held-out-folds.ts';
import type { FitInput, FitResult, TrainingSample } from '../../types.ts';
import { throwIfCancelled, VisionError } from '../../vision-error.ts';
import { getFlag, getNumber, getText } from '../parameter-values.ts';
import { encodeDefectDetector } from './codec.ts';
import { type CellSet, collectCells } from './collect-cells.ts';
import type { Judge } from './judge-image.ts';
import { type Evidence, type HeldOutImage, heldOutEvidence, heldOutGood, setLimits } from './set-limits.ts';
import { labelsOf, trainCells } from './train-cells.ts';

const AXES = 160;
const CANDIDATES = 30_000;
/** Networks that only set the limits get this part of the steps. */
const HELD_OUT_STEPS = 1 / 3;
/** Where the second half of the work begins, as fractions of the whole training. */
const [MEMORY, CELLS, EVIDENCE, FINISH] = [0.76, 0.78, 0.86, 0.95];

interface Fitting {
  readonly input: FitInput;
  readonly product: MatrixProduct;
  readonly learner: GoodLearner<Matrix>;
}

function bankLearner(input: FitInput, { extractor }: PatchSource, product: MatrixProduct): GoodLearner<Matrix> {
  const { params, threads } = input;
  const scoring = { neighbours: 1, smoothing: getNumber(params, 'smoothing'), threads: threads ?? 1 };
  return {
    extractor,
    candidates: CANDIDATES,
    rotations: false,
    flips: false,
    dropOutliers: getFlag(params, 'drop_outliers'),
    smoothing: scoring.smoothing,
    falseAlarmRate: getNumber(params, 'false_alarm_rate'),
    learn: (images) => learnBank(images, getNumber(params, 'bank_size'), input, product),
    openScorer: (bank) => openBankScorer(bank, scoring),
  };
}

async function learnNetwork(sets: readonly CellSet[], share: number, { input, product }: Fitting) {
  const { params, random, signal } = input;
  const labels = labelsOf(sets);
  const steps = Math.ceil(share * getNumber(params, 'training_steps'));
  return { labels, network: await trainCells(sets, labels, { steps, random, product, signal }) };
}

/** Held-out findings; where there is nothing to hold out, distances alone. */
async function gatherEvidence({ kept }: GoodImages, sets: readonly CellSet[], fitting: Fitting): Promise<Evidence> {
  const { input, learner } = fitting;
  const extract = async (sample: TrainingSample) => {
    throwIfCancelled(input.signal);
    const { image, ...rest } = await sample.load();
    return { frame: { ...rest, image }, features: await learner.extractor.extract(image) };
  };
  const defects = input.samples.filter(({ good }) => !good);
  const images: HeldOutImage[] = [
    ...kept.map((image) => heldOutGood(image, extract)),
    ...defects.map((sample) => ({ sample, load: () => extract(sample) })),
  ];
  const learn = async (items: ReadonlySet<string>): Promise<Judge | undefined> => {
    throwIfCancelled(input.signal);
    const good = kept.filter(({ sample }) => items.has(sample.itemId));
    const seen = sets.filter(({ itemId }) => items.has(itemId));
    if (good.length === 0 || labelsOf(seen).length === 0) return undefined;
    const { labels, network } = await learnNetwork(seen, HELD_OUT_STEPS, fitting);
    const scorer = await learner.openScorer(await learner.learn(good));
    return { scorer, network: await openPatchNetwork(network, input.threads, labels.length + 1) };
  };
  const folds = heldOutFolds(
    images.map(({ sample }) => sample.itemId),
    input.random,
  );
  const evidence = await heldOutEvidence(images, folds, learn);
  if (evidence.good.length > 0) return evidence;
  const distances = await goodScoresOf(kept, input, learner);
  return { good: distances.map((distance) => ({ probability: 0, distance })), defect: [] };
}

async function fitWith(fitting: Fitting, { layout, projection }: PatchSource): Promise<FitResult> {
  const { input, learner } = fitting;
  const { params, random, signal, report } = input;
  const good = await collectGoodImages(input, learner);
  report({ fraction: MEMORY, text: 'learning what good looks like' });
  const bank = await learner.learn(good.kept);
  const samples = [...good.kept.map(({ sample }) => sample), ...input.samples.filter((sample) => !sample.good)];
  const sets = await collectCells(samples, learner.extractor, {
    rotations: getFlag(params, 'rotations'),
    flips: getFlag(params, 'flips'),
    random,
    signal,
    report: (done, total) =>
      report({ fraction: CELLS + (EVIDENCE - CELLS) * (done / total), text: `looking at defects ${done}/${total}` }),
  });
  report({ fraction: EVIDENCE, text: 'judging images that the model has not seen' });
  const { limits, calibration } = setLimits(await gatherEvidence(good, sets, fitting), learner.falseAlarmRate);
  report({ fraction: FINISH, text: 'learning the classes' });
  const { labels, network } = await learnNetwork(sets, 1, fitting);
  const { smoothing, falseAlarmRate } = learner;
  const remark = smallSampleRemark(new Set(good.kept.map(({ sample }) => sample.itemId)).size, falseAlarmRate);
  return {
    payload: encodeDefectDetector({ layout, projection, bank, network, labels, limits, smoothing }),
    calibration,
    leftOut: good.leftOut,
    remarks: remark ? [remark] : [],
  };
}

/**
 * A network on patch features that tells for every cell of which class of defect it is and where its sides are, and a
 * memory of good patches for anomalies of no known class.
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
  const { params, threads } = input;
  const tiling = getText(params, 'tiling') as Tiling;
  const product = await openMatrixProduct(threads);
  try {
    const options = { imageSize: getNumber(params, 'image_size'), tiling, axes: AXES };
    const source = await openPatchSource([...good, ...defects], input, options, product);
    try {
      return await fitWith({ input, product, learner: bankLearner(input, source, product) }, source);
    } finally {
      await source.extractor.dispose();
    }
  } finally {
    await product.dispose();
  }
}
