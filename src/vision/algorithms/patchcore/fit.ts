import { extractTrainingPatches, type TrainingPatches } from '../../components/extract-training-patches.ts';
import { openPatchSource, type PatchSource, stackRows } from '../../components/open-patch-source.ts';
import { selectCoreset, takeRows } from '../../components/select-coreset.ts';
import type { Tiling } from '../../features/input-layout.ts';
import { cropImage } from '../../image/crop-image.ts';
import { sampleIndices } from '../../math/sample-indices.ts';
import { type MatrixProduct, openMatrixProduct } from '../../onnx/open-matrix-product.ts';
import { conformalThreshold, smallSampleRemark } from '../../thresholds/conformal-threshold.ts';
import { findOutliers } from '../../thresholds/find-outliers.ts';
import { heldOutFolds } from '../../thresholds/held-out-folds.ts';
import { supervisedThreshold } from '../../thresholds/supervised-threshold.ts';
import type { FitInput, FitResult, TrainingSample } from '../../types.ts';
import { throwIfCancelled, VisionError } from '../../vision-error.ts';
import { getFlag, getNumber, getText } from '../parameter-values.ts';
import { type BankBuilder, heldOutScores, type ScorableImage, scoreImages } from './calibrate.ts';
import { encodePatchcore } from './codec.ts';

const AXES = 128;
/** Patches from which the memory is chosen: bounds time and memory, whatever the number of images. */
const CANDIDATES = 40_000;
const PROJECTED_DIMS = 64;
/** A memory of random patches, in which few bad ones weigh little, judges which images are odd. */
const GUARD_NEIGHBOURS = 3;
const GUARD_BANK = 1000;
/** How much farther another item lies than a shifted photo of the same one: seen on several products. */
const OTHER_ITEM = 1.25;

interface Fitting extends FitInput {
  readonly product: MatrixProduct;
  readonly source: PatchSource;
}

const scoreOptions = ({ params, threads }: FitInput) => ({
  neighbours: getNumber(params, 'neighbours'),
  smoothing: getNumber(params, 'smoothing'),
  threads: threads ?? 1,
});

const percent = (done: number, total: number): string => `${done}/${total}, ${Math.floor((100 * done) / total)} %`;

function coresetBuilder(fitting: Fitting): BankBuilder {
  const { params, random, product, signal } = fitting;
  const count = getNumber(params, 'bank_size');
  return async (images) => {
    const candidates = stackRows(images.map((image) => image.candidates));
    const options = { count, projectedDims: PROJECTED_DIMS, random, product, signal, threads: fitting.threads ?? 1 };
    return takeRows(candidates, await selectCoreset(candidates, options));
  };
}

function randomBuilder({ params, random }: Fitting): BankBuilder {
  const count = Math.min(GUARD_BANK, getNumber(params, 'bank_size'));
  return async (images) => {
    const candidates = stackRows(images.map((image) => image.candidates));
    return takeRows(candidates, sampleIndices(candidates.rows, count, random));
  };
}

/** Good images apart from those that look unlike all others. */
async function dropOutliers(images: readonly TrainingPatches[], fitting: Fitting) {
  if (!getFlag(fitting.params, 'drop_outliers')) return { kept: images, leftOut: [] };
  const folds = heldOutFolds(
    images.map(({ sample }) => sample.itemId),
    fitting.random,
  );
  const options = { ...scoreOptions(fitting), neighbours: GUARD_NEIGHBOURS };
  const scores = await heldOutScores(images, folds, randomBuilder(fitting), options, async ({ sample }) => {
    throwIfCancelled(fitting.signal);
    return fitting.source.extractor.extract((await sample.load()).image);
  });
  const known = scores.flatMap((score, index) => (Number.isNaN(score) ? [] : [index]));
  const odd = findOutliers(known.map((index) => scores[index] ?? 0)).map((position) => known[position] ?? -1);
  return {
    kept: images.filter((_, index) => !odd.includes(index)),
    leftOut: odd.flatMap((index) => images[index]?.sample.name ?? []),
  };
}

/** A single item cannot be held out: cut-outs of it, shifted by a few pixels, stand in for other photos. */
async function shiftedCopies(image: TrainingPatches, { source }: Fitting): Promise<ScorableImage[]> {
  const { image: whole } = await image.sample.load();
  const [dx, dy] = [Math.ceil(whole.width / 50), Math.ceil(whole.height / 50)];
  const copies: ScorableImage[] = [];
  if (whole.width <= 2 * dx || whole.height <= 2 * dy) return copies;
  for (const left of [0, dx])
    for (const top of [0, dy]) {
      const part = cropImage(whole, left, top, whole.width - dx, whole.height - dy);
      copies.push({ frame: image.frame, features: await source.extractor.extract(part) });
    }
  return copies;
}

async function goodScoresOf(images: readonly TrainingPatches[], fitting: Fitting): Promise<number[]> {
  const buildBank = coresetBuilder(fitting);
  const options = scoreOptions(fitting);
  const folds = heldOutFolds(
    images.map(({ sample }) => sample.itemId),
    fitting.random,
  );
  const [first] = images;
  if (folds.length === 0 && first) {
    const scores = await scoreImages(await shiftedCopies(first, fitting), await buildBank(images), options);
    return scores.map((score) => score * OTHER_ITEM);
  }
  const scores = await heldOutScores(images, folds, buildBank, options);
  return scores.filter((score) => !Number.isNaN(score));
}

async function defectScoresOf(
  defects: readonly TrainingSample[],
  bank: Parameters<typeof scoreImages>[1],
  fitting: Fitting,
) {
  const scores: number[] = [];
  for (const sample of defects) {
    throwIfCancelled(fitting.signal);
    const { image, ...frame } = await sample.load();
    const features = await fitting.source.extractor.extract(image);
    scores.push(...(await scoreImages([{ frame: { ...frame, image }, features }], bank, scoreOptions(fitting))));
  }
  return scores;
}

async function fitWith(fitting: Fitting, good: readonly TrainingSample[]): Promise<FitResult> {
  const { params, random, signal, report, source, samples } = fitting;
  const images = await extractTrainingPatches(good, source.extractor, {
    candidates: CANDIDATES,
    rotations: getFlag(params, 'rotations'),
    flips: getFlag(params, 'flips'),
    random,
    signal,
    report: (done, total) =>
      report({ fraction: 0.1 + 0.6 * (done / total), text: `extracting features ${percent(done, total)}` }),
  });
  report({ fraction: 0.7, text: 'looking for odd images' });
  const { kept, leftOut } = await dropOutliers(images, fitting);
  report({ fraction: 0.76, text: 'choosing the memory' });
  const bank = await coresetBuilder(fitting)(kept);
  report({ fraction: 0.82, text: 'scoring images that the model has not seen' });
  const goodScores = await goodScoresOf(kept, fitting);
  const defectScores = await defectScoresOf(
    samples.filter((sample) => !sample.good),
    bank,
    fitting,
  );
  const rate = getNumber(params, 'false_alarm_rate');
  const fromGood = conformalThreshold(goodScores, rate);
  const rawThreshold = supervisedThreshold(goodScores, defectScores, fromGood);
  const remark = smallSampleRemark(new Set(kept.map(({ sample }) => sample.itemId)).size, rate);
  const { layout, projection } = source;
  return {
    payload: encodePatchcore({ layout, projection, bank, ...scoreOptions(fitting) }),
    calibration: { rawThreshold, goodScores, defectScores },
    leftOut,
    remarks: remark ? [remark] : [],
  };
}

/**
 * Roth et al. 2022 (PatchCore): a coreset of the good images' patch features.
 * @throws VisionError `too_few_images` without a good image, `invalid_backbone`, `cancelled`
 */
export async function fitPatchcore(input: FitInput): Promise<FitResult> {
  const good = input.samples.filter((sample) => sample.good);
  if (good.length === 0)
    throw new VisionError('too_few_images', 'There is no good image to learn from; add at least one, better thirty.');
  throwIfCancelled(input.signal);
  input.report({ fraction: 0, text: 'looking at the images' });
  const product = await openMatrixProduct(input.threads);
  try {
    const options = {
      imageSize: getNumber(input.params, 'image_size'),
      tiling: getText(input.params, 'tiling') as Tiling,
      axes: AXES,
    };
    const source = await openPatchSource(good, input, options, product);
    try {
      return await fitWith({ ...input, product, source }, good);
    } finally {
      await source.extractor.dispose();
    }
  } finally {
    await product.dispose();
  }
}
