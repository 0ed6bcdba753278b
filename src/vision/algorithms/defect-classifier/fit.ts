import { noCorrections } from '../../corrections/correction-patches.ts';
import { say } from '../../engine-messages.ts';
import { stackRows } from '../../math/matrix.ts';
import { openBankScorer } from '../../memory-bank/bank-measure.ts';
import { chooseSearch } from '../../memory-bank/open-memory-search.ts';
import type { MatrixProduct } from '../../onnx/open-matrix-product.ts';
import { calibrate, rateRemarks, scoreDefects } from '../../training/calibrate.ts';
import { extractGoodImages } from '../../training/extract-training-patches.ts';
import { type FitInput, type FitResult, goodSamples, imageThreads } from '../../training/fit-input.ts';
import { learnBank, learnScoredBank, type ScoredBank, someFeatures } from '../../training/learn-bank.ts';
import type { PatchSource } from '../../training/open-patch-source.ts';
import { LEARNING } from '../../training/progress.ts';
import { usesRotations } from '../../training/rotation-augmentation.ts';
import { heldOutFolds } from '../../training/score-by-folds.ts';
import type { TrainingPatches } from '../../training/training-patches.ts';
import { throwIfCancelled, VisionError } from '../../vision-error.ts';
import { getNumber } from '../contract/parameter-values.ts';
import { type MemoryOptions, memoryOptions, withPatchSource } from '../supervised/memory-options.ts';
import { collectDefects, type DefectImage, groupByLabel } from './collect-defects.ts';
import { encodeDefectClassifier } from './model.ts';
import { openPatchClassifier, trainPatchClassifier } from './patch-classifier.ts';
import { chooseWeight, heldOutEvidence, type Judge, WEIGHTS } from './weigh-evidence.ts';

const AXES = 128;
const CANDIDATES = 80_000;
/** Where the second half of the work begins, as fractions of the whole training. */
const [DEFECTS, EVIDENCE, FINISH] = [0.85, 0.87, 0.97];

interface Fitting {
  readonly input: FitInput;
  readonly product: MatrixProduct;
  readonly source: PatchSource;
  readonly options: MemoryOptions;
}

async function learnClasses(good: readonly TrainingPatches[], defects: readonly DefectImage[], fitting: Fitting) {
  const { input, product } = fitting;
  const groups = groupByLabel(defects);
  const classes = [good.map(({ candidates }) => candidates), ...groups.values()].map(stackRows);
  const { random, signal } = input;
  return { labels: [...groups.keys()], network: await trainPatchClassifier(classes, { random, product, signal }) };
}

/** Held-out scores at the best weight; at 0 and where there is nothing to hold out, those of the memory itself. */
async function weigh({ kept, bank, goodScores }: ScoredBank, defects: readonly DefectImage[], fitting: Fitting) {
  const { input, product, source, options } = fitting;
  const byDistance = async () => {
    const defectScores = await scoreDefects(input, source.extractor, () => openBankScorer(bank, options.scoring));
    return { weight: 0, goodScores, defectScores };
  };
  const distinct = (images: readonly (TrainingPatches | DefectImage)[]): number =>
    new Set(images.map(({ sample }) => sample.itemId)).size;
  if (distinct(kept) < 2 || distinct(defects) < 2) return byDistance();
  const learn = async (
    good: readonly TrainingPatches[],
    others: readonly DefectImage[],
  ): Promise<Judge | undefined> => {
    throwIfCancelled(input.signal);
    if (good.length === 0 || others.length === 0) return undefined;
    const scorer = await openBankScorer(await learnBank(good, options.bank, input, product), options.scoring);
    return {
      scorer,
      network: await openPatchClassifier((await learnClasses(good, others, fitting)).network, input.threads),
    };
  };
  const folds = heldOutFolds(
    [...kept, ...defects].map(({ sample }) => sample.itemId),
    input.random,
  );
  const evidence = await heldOutEvidence(kept, defects, folds, learn);
  const best = chooseWeight(evidence);
  const weight = WEIGHTS[best] ?? 0;
  if (weight === 0) return byDistance();
  return {
    weight,
    goodScores: evidence.good[best] ?? [],
    defectScores: evidence.defect[best] ?? [],
  };
}

async function fitWith(fitting: Fitting): Promise<FitResult> {
  const { input, product, source, options } = fitting;
  const { layout, projection, extractor } = source;
  const { smoothing, dropOutliers, falseAlarmRate } = options;
  const rotations = await usesRotations(input, source);
  const extraction = { candidates: CANDIDATES, rotations, flips: false, dropOutliers, smoothing };
  const images = await extractGoodImages(input, extractor, extraction);
  input.report({ fraction: LEARNING, doing: say('progress.learning') });
  const scoring = { ...options.scoring, threads: imageThreads(input) };
  const scored = await learnScoredBank(images, options.bank, scoring, input, product, extractor);
  const { kept, leftOut, doubtful, bank: owned } = scored;
  input.report({ fraction: DEFECTS, doing: say('progress.defects') });
  const scorer = await openBankScorer(owned, options.scoring);
  const defects = await collectDefects(input, extractor, scorer);
  await scorer.dispose();
  input.report({ fraction: EVIDENCE, doing: say('progress.scoring') });
  const { weight, goodScores, defectScores } = await weigh(scored, defects, fitting);
  input.report({ fraction: FINISH, doing: say('progress.classes') });
  const { labels, network } = await learnClasses(kept, defects, fitting);
  const { bank, weights } = owned;
  const search = await chooseSearch(owned, 1, someFeatures(kept), input.threads);
  const corrections = noCorrections(bank.columns);
  const memory = { layout, projection, bank, weights, ...search, smoothing, corrections };
  return {
    payload: encodeDefectClassifier({ ...memory, network, labels, weight }),
    calibration: calibrate(goodScores, defectScores, falseAlarmRate),
    leftOut,
    doubtful,
    remarks: rateRemarks(kept, goodScores, falseAlarmRate),
  };
}

/**
 * A memory of good patches as in PatchCore, and a small network that names what it finds.
 * @throws VisionError `too_few_images` without a good and an NG image, `invalid_backbone`, `cancelled`
 */
export async function fitDefectClassifier(input: FitInput): Promise<FitResult> {
  const good = goodSamples(input);
  const defects = input.samples.filter((sample) => !sample.good);
  if (defects.length === 0) throw new VisionError('too_few_images', say('training.no-ng-image'));
  throwIfCancelled(input.signal);
  input.report({ fraction: 0, doing: say('progress.images') });
  const options = { imageSize: getNumber(input.params, 'image_size'), axes: AXES };
  return withPatchSource([...good, ...defects], input, options, (source, product) =>
    fitWith({ input, product, source, options: memoryOptions(input, { weighted: true }) }),
  );
}
